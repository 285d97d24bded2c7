import { conflict, DomainError, forbidden } from '../../domain/errors.js';
import { protectionFor, type Pusher } from '../../domain/repositories/branch-rules.js';
import { baseOfNew, BRANCHES, TAGS } from '../../domain/repositories/refs.js';
import { Repository, type RepositoryState } from '../../domain/repositories/repository.js';
import type { Hash } from '../../git/port/hash.js';
import type { Aggregate } from '../aggregates.js';
import type { CommandContext } from '../context.js';
import { checkRoom, checkWritable } from './change-files.js';
import { createRef } from './create-ref.js';
import { refusalByFiles } from './rules-on-files.js';
import { movedEarlier, type RefServices, type RefsMoved, type RefsUpdate } from './update-refs.js';

/** A requested branch. `name` is the short name, without `refs/heads/`, and was checked. */
export interface NewBranch extends Pick<RefsUpdate, 'mayStill'> {
  readonly repositoryId: number;
  readonly pusher: Pusher;
  readonly name: string;
  /**
   * Finds the commit that the branch begins at, in the repository as the log has it. Not called if an earlier attempt of
   * the same command made the branch.
   */
  readonly from: (repository: Aggregate<RepositoryState>) => Promise<Hash>;
}

/** Creates a branch at a commit that is in the repository already. */
export async function createBranch(
  services: RefServices,
  { repositoryId, pusher, name, from, ...still }: NewBranch,
  context: CommandContext,
): Promise<Pick<RefsMoved, 'position'>> {
  const earlier = await movedEarlier(services, repositoryId, context);
  if (earlier) return earlier;
  const repository = await services.commands.load(Repository, repositoryId);
  const { state } = repository;
  checkWritable(state);
  const after = await from(repository).catch(async (error: unknown) => {
    // Where there is one, the rules of its branch come before the room.
    if (error instanceof DomainError && error.kind === 'not-found') await checkRoom(services, state, context);
    throw error;
  });
  const rule = protectionFor(name, state.branchProtections);
  const paths = () => services.git.changedPaths(repositoryId, baseOfNew(state), after);
  const refusal = rule && (await refusalByFiles({ rule, pusher, paths }));
  if (refusal !== undefined) throw forbidden('branch.protected', refusal);
  await checkRoom(services, state, context);
  if (state.refs.has(BRANCHES + name)) throw conflict('branch.exists', 'The branch already exists.');
  if (state.refs.has(TAGS + name)) throw conflict('branch.is_tag', `tag ${name} already exists`);
  const change = { ref: BRANCHES + name, before: null, after };
  return createRef(services, { repositoryId, state, pusherId: pusher.accountId, change, ...still }, context);
}
