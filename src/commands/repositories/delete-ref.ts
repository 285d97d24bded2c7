import { forbidden, hasCode, notFound, type DomainError } from '../../domain/errors.js';
import { protectionFor } from '../../domain/repositories/branch-rules.js';
import { BRANCHES, REFS_MOVED, TAGS } from '../../domain/repositories/refs.js';
import { refuseDefaultBranch, Repository } from '../../domain/repositories/repository.js';
import type { CommandContext } from '../context.js';
import { checkWritable } from './change-files.js';
import { updateRefs, type RefServices, type RefsMoved, type RefsUpdate } from './update-refs.js';

/** A branch or tag, by its short name, and the account that deletes it. */
export interface RefToDelete extends Pick<RefsUpdate, 'mayStill'> {
  readonly repositoryId: number;
  readonly pusherId: number;
  readonly name: string;
}

/** Deletes a branch. Refuses to delete the default branch and protected ones. No quota prevents deletions. */
export const deleteBranch = (
  services: RefServices,
  branch: RefToDelete,
  context: CommandContext,
): Promise<RefsMoved> =>
  deleteRef(services, BRANCHES, branch, () => notFound('branch.absent', 'no such branch'), context);

/** Deletes a tag. No quota prevents deletions. */
export const deleteTag = (
  services: RefServices,
  tag: RefToDelete,
  context: CommandContext,
): Promise<RefsMoved> => deleteRef(services, TAGS, tag, () => notFound('tag.absent', 'no such tag'), context);

/** Deletes a ref. Refuses with `absent` if it does not exist (any more), and with a conflict if it moves meanwhile. */
async function deleteRef(
  services: RefServices,
  below: typeof BRANCHES | typeof TAGS,
  { repositoryId, pusherId, name, ...still }: RefToDelete,
  absent: () => DomainError,
  context: CommandContext,
): Promise<RefsMoved> {
  const { state } = await services.commands.load(Repository, repositoryId);
  checkWritable(state);
  const ref = below + name;
  const before = state.refs.get(ref);
  if (before === undefined) throw absent();
  refuseDefaultBranch(ref, state.settings);
  const judgedBy = state.branchProtections;
  if (below === BRANCHES && protectionFor(name, judgedBy))
    throw forbidden('branch.protected', 'the branch is protected from deletion');
  const changes = [{ ref, before, after: null }];
  try {
    return await updateRefs(services, { repositoryId, pusherId, changes, judgedBy, ...still }, context);
  } catch (error) {
    if (!hasCode(error, REFS_MOVED)) throw error;
    const { refs } = (await services.commands.load(Repository, repositoryId)).state;
    throw refs.has(ref) ? error : absent();
  }
}
