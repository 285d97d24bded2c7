import { forbidden, notFound } from '../../domain/errors.js';
import { protectionFor } from '../../domain/repositories/branch-rules.js';
import { BRANCHES } from '../../domain/repositories/refs.js';
import { refuseDefaultBranch, Repository } from '../../domain/repositories/repository.js';
import type { CommandContext } from '../context.js';
import { checkWritable } from './change-files.js';
import { deleteRef } from './delete-ref.js';
import type { RefServices, RefsMoved, RefsUpdate } from './update-refs.js';

/** A branch by its short name, without `refs/heads/`, and who deletes it. */
export interface BranchToDelete extends Pick<RefsUpdate, 'mayStill'> {
  readonly repositoryId: number;
  readonly pusherId: number;
  readonly name: string;
}

/** Deletes a branch that is neither the default one nor protected. No quota refuses that. */
export async function deleteBranch(
  services: RefServices,
  { repositoryId, pusherId, name, ...still }: BranchToDelete,
  context: CommandContext,
): Promise<RefsMoved> {
  const { state } = await services.commands.load(Repository, repositoryId);
  checkWritable(state);
  const ref = BRANCHES + name;
  const before = state.refs.get(ref);
  if (before === undefined) throw absent();
  refuseDefaultBranch(ref, state.settings);
  if (protectionFor(name, state.branchProtections))
    throw forbidden('branch.protected', 'the branch is protected from deletion');
  const judgedBy = state.branchProtections;
  return deleteRef(services, { repositoryId, pusherId, ref, before, judgedBy, ...still }, absent, context);
}

const absent = () => notFound('branch.absent', 'no such branch');
