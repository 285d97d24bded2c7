import { forbidden, invalid, notFound } from '../../domain/errors.js';
import { protectionFor } from '../../domain/repositories/branch-rules.js';
import { checkBranchName } from '../../domain/repositories/names.js';
import { BRANCHES } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { Position } from '../../event-store/event-store.js';
import type { CommandContext } from '../context.js';
import { checkWritable } from './change-files.js';
import { updateRefs, type RefServices, type RefsUpdate } from './update-refs.js';

/** A branch and its new name, both without `refs/heads/`. `to` is not checked yet. */
export interface BranchToRename extends Pick<RefsUpdate, 'mayStill'> {
  readonly repositoryId: number;
  readonly pusherId: number;
  readonly name: string;
  readonly to: string;
  /** Whether the caller may rename the default branch. */
  readonly mayBeDefault: boolean;
}

/** Renames a branch atomically. The default branch stays the default under its new name. */
export async function renameBranch(
  services: RefServices,
  { repositoryId, pusherId, name, to, mayBeDefault, ...still }: BranchToRename,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  const { state } = await services.commands.load(Repository, repositoryId);
  if (name === state.settings.defaultBranch && !mayBeDefault)
    throw forbidden('branch.default', 'administrators rename the default branch');
  checkBranchName(to, 'Name');
  checkWritable(state);
  const before = state.refs.get(BRANCHES + name);
  if (before === undefined) throw notFound('branch.absent', 'no such branch');
  if (protectionFor(name, state.branchProtections) ?? protectionFor(to, state.branchProtections))
    throw forbidden('branch.protected', 'the branch is protected');
  if (state.refs.has(BRANCHES + to)) throw invalid('branch.exists', 'Name', `branch ${to} already exists`);
  const changes = [
    { ref: BRANCHES + to, before: null, after: before },
    { ref: BRANCHES + name, before, after: null },
  ];
  const judgedBy = state.branchProtections;
  return updateRefs(
    services,
    { repositoryId, pusherId, changes, judgedBy, ...still, ...(mayBeDefault && { defaultBranch: to }) },
    context,
  );
}
