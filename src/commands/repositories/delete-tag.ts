import { notFound } from '../../domain/errors.js';
import { TAGS } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { CommandContext } from '../context.js';
import { checkWritable } from './change-files.js';
import { deleteRef } from './delete-ref.js';
import type { RefServices, RefsMoved, RefsUpdate } from './update-refs.js';

/** A tag by its short name, without `refs/tags/`, and who deletes it. */
export interface TagToDelete extends Pick<RefsUpdate, 'mayStill'> {
  readonly repositoryId: number;
  readonly pusherId: number;
  readonly name: string;
}

/** No quota refuses that. */
export async function deleteTag(
  services: RefServices,
  { repositoryId, pusherId, name, ...still }: TagToDelete,
  context: CommandContext,
): Promise<RefsMoved> {
  const { state } = await services.commands.load(Repository, repositoryId);
  checkWritable(state);
  const ref = TAGS + name;
  const before = state.refs.get(ref);
  if (before === undefined) throw absent();
  const judgedBy = state.branchProtections;
  return deleteRef(services, { repositoryId, pusherId, ref, before, judgedBy, ...still }, absent, context);
}

const absent = () => notFound('tag.absent', 'no such tag');
