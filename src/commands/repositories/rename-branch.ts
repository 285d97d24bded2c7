import { conflict, forbidden, notFound } from '../../domain/errors.js';
import { protectionFor } from '../../domain/repositories/branch-protections.js';
import { checkBranchName } from '../../domain/repositories/names.js';
import { BRANCHES } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import { checkWritable } from './change-files.js';
import { editRepository, type EditServices } from './edit-repository.js';
import { updateRefs, type RefServices } from './update-refs.js';

export interface BranchToRename {
  readonly repositoryId: number;
  readonly pusherId: number;
  readonly name: string;
  readonly to: string;
}

/**
 * Gives a branch another name; where it is the default one it stays so. The new name is there before the old one goes:
 * what a crash leaves is both.
 */
export async function renameBranch(
  services: RefServices & EditServices,
  { repositoryId, pusherId, name, to }: BranchToRename,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  checkBranchName(to, 'Name');
  const { state } = await services.commands.load(Repository, repositoryId);
  checkWritable(state);
  const before = state.refs.get(BRANCHES + name);
  if (before === undefined) throw notFound('branch.absent', 'no such branch');
  if (protectionFor(name, state.branchProtections) ?? protectionFor(to, state.branchProtections))
    throw forbidden('branch.protected', 'the branch is protected');
  if (state.refs.has(BRANCHES + to)) throw conflict('branch.exists', `there is a branch ${to} already`);
  const move = (ref: string, from: string | null, after: string | null, own: CommandContext) =>
    updateRefs(
      services,
      { repositoryId, pusherId, changes: [{ ref: BRANCHES + ref, before: from, after }] },
      own,
    );
  await move(to, null, before, step(context, 'new name'));
  if (name === state.settings.defaultBranch)
    await editRepository(
      services,
      repositoryId,
      { settings: { defaultBranch: to } },
      step(context, 'default branch'),
    );
  return move(name, before, null, context);
}
