import { notFound } from '../../domain/errors.js';
import { TAGS } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { CommandContext } from '../context.js';
import { checkWritable } from './change-files.js';
import { updateRefs, type RefServices, type RefsMoved } from './update-refs.js';

/** A tag by its short name, without `refs/tags/`, and who deletes it. */
export interface TagToDelete {
  readonly repositoryId: number;
  readonly pusherId: number;
  readonly name: string;
}

/** No quota refuses that. */
export async function deleteTag(
  services: RefServices,
  { repositoryId, pusherId, name }: TagToDelete,
  context: CommandContext,
): Promise<RefsMoved> {
  const { state } = await services.commands.load(Repository, repositoryId);
  checkWritable(state);
  const ref = TAGS + name;
  const before = state.refs.get(ref);
  if (before === undefined) throw notFound('tag.absent', 'no such tag');
  const changes = [{ ref, before, after: null }];
  const judgedBy = state.branchProtections;
  return updateRefs(services, { repositoryId, pusherId, changes, judgedBy }, context);
}
