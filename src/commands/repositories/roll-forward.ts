import { DomainError } from '../../domain/errors.js';
import { changesBetween, type RefChange } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import { later, type Position } from '../../event-store/event-store.js';
import { systemCommand, type CommandContext } from '../context.js';
import { countStorage, type CountingServices } from './count-storage.js';
import type { RepositoryLocks } from './repository-locks.js';

/** The services for bringing a repository on disk to the state of the log and counting its bytes, under locks. */
export interface RollingServices extends CountingServices {
  readonly repositoryLocks: Pick<RepositoryLocks, 'run' | 'pending'>;
}

/** What differed on disk from the log. */
export interface RolledForward {
  /** The moves of refs that bring the disk to the log's state. */
  readonly changes: readonly RefChange[];
  /** The branch that HEAD should name; undefined if it does already. */
  readonly head: string | undefined;
}

/** Runs `work` under the repository's lock, once the refs on disk agree with the log. */
export function withRefs<T>(
  services: RollingServices,
  repositoryId: number,
  work: () => Promise<T>,
): Promise<T> {
  const { repositoryLocks } = services;
  return repositoryLocks.run(repositoryId, async () => {
    if (await repositoryLocks.pending.has(repositoryId)) await rollForward(services, repositoryId);
    return work();
  });
}

/** Like `withRefs`, but gives `work` services that hold the lock already, so that it can use what asks for it by itself. */
export function withServicesForRefs<S extends RollingServices, T>(
  services: S,
  repositoryId: number,
  work: (holding: S) => Promise<T>,
): Promise<T> {
  const { repositoryLocks } = services;
  const held: RollingServices['repositoryLocks'] = {
    pending: repositoryLocks.pending,
    run: (id, inner) => (id === repositoryId ? inner() : repositoryLocks.run(id, inner)),
  };
  return withRefs(services, repositoryId, () => work({ ...services, repositoryLocks: held }));
}

/**
 * Runs `work`, which may give the repository another default branch in the log, under its lock, and then makes HEAD on disk
 * name that. The repository is noted meanwhile, so that the next user of its refs does what was cut off.
 */
export function withHead(
  services: RollingServices,
  repositoryId: number,
  work: () => Promise<Position>,
  context: CommandContext,
): Promise<Position> {
  const { git, repositoryLocks } = services;
  const { pending } = repositoryLocks;
  return withRefs(services, repositoryId, async () => {
    await pending.note(repositoryId);
    const worked = await work().catch(async (error: unknown) => {
      // After a refusal by a rule, log and disk agree. After any other error the outcome is unknown.
      if (error instanceof DomainError) await pending.clear(repositoryId);
      throw error;
    });
    await git.mendRefs(repositoryId); // a power failure may have left a lock of HEAD, and no note
    await nameDefaultBranch(services, repositoryId);
    const counted = await countStorage(services, repositoryId, context);
    await pending.clear(repositoryId);
    return later(worked, counted.position);
  });
}

/** Ensures that the refs on disk agree with the log. To be called before git reads them. */
export async function settleRefs(services: RollingServices, repositoryId: number): Promise<void> {
  if (await services.repositoryLocks.pending.has(repositoryId))
    await withRefs(services, repositoryId, () => Promise.resolve());
}

/**
 * Makes the refs on disk agree with the log, and counts the repository's bytes. The caller must hold the repository's
 * lock. Leaves alone a repository that does not exist yet: its creator is at work, or it will be swept.
 */
export async function rollForward(services: RollingServices, repositoryId: number): Promise<RolledForward> {
  const { commands, git, repositoryLocks } = services;
  const { state } = await commands.load(Repository, repositoryId);
  let rolled: RolledForward = { changes: [], head: undefined };
  if (state.status === 'exists' && (await git.exists(repositoryId))) {
    await git.mendRefs(repositoryId);
    rolled = await differences(services, repositoryId);
    if (rolled.changes.length > 0) await (await git.prepareRefs(repositoryId, rolled.changes)).commit();
    if (rolled.head !== undefined) await git.setHead(repositoryId, rolled.head);
    await countStorage(services, repositoryId, systemCommand());
  }
  if (state.status === 'deleted') await clearAway(services, repositoryId, systemCommand());
  else if (state.status !== 'absent') await repositoryLocks.pending.clear(repositoryId);
  return rolled;
}

/** Makes HEAD on disk name the present default branch. The caller must hold the repository's lock. */
export async function nameDefaultBranch(
  { commands, git }: Pick<RollingServices, 'commands' | 'git'>,
  repositoryId: number,
): Promise<void> {
  const { defaultBranch } = (await commands.load(Repository, repositoryId)).state.settings;
  if ((await git.head(repositoryId)) !== defaultBranch) await git.setHead(repositoryId, defaultBranch);
}

/** Removes the folder of a deleted repository, and its bytes from the owner's ledger. The caller must hold its lock. */
export async function clearAway(
  { commands, git, storage, repositoryLocks }: RollingServices,
  repositoryId: number,
  context: CommandContext,
): Promise<Position> {
  const { ownerId } = (await commands.load(Repository, repositoryId)).state;
  await git.remove(repositoryId);
  const position = await storage.forget(ownerId, String(repositoryId), context);
  await repositoryLocks.pending.clear(repositoryId);
  return position;
}

/** Removes the folder of a deleted repository again, which a program that was still writing into it may have made anew. */
export async function clearRemains(
  { commands, git }: Pick<RollingServices, 'commands' | 'git'>,
  repositoryId: number,
): Promise<void> {
  if (await git.exists(repositoryId)) return;
  const { state } = await commands.load(Repository, repositoryId);
  if (state.status === 'deleted') await git.remove(repositoryId);
}

/** Finds what `rollForward` would change. */
export async function differences(
  { commands, git }: Pick<RollingServices, 'commands' | 'git'>,
  repositoryId: number,
): Promise<RolledForward> {
  const { state } = await commands.load(Repository, repositoryId);
  const [refs, head] = await Promise.all([git.refs(repositoryId), git.head(repositoryId)]);
  const { defaultBranch } = state.settings;
  return {
    changes: changesBetween(refs, state.refs),
    head: head === defaultBranch ? undefined : defaultBranch,
  };
}
