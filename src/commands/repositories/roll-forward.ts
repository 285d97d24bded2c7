import { changesBetween, type RefChange } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { UsageSubject } from '../../domain/quota/subjects.js';
import type { Position } from '../../event-store/event-store.js';
import type { Git } from '../../git/git.js';
import { step, systemCommand } from '../context.js';
import type { CommandHandler } from '../handle.js';
import type { Reservation, Storage } from '../quota/storage.js';
import type { RepositoryLocks } from './repository-locks.js';

/** What brings a repository on disk to where the log says, and counts its bytes, while locks keep others away. */
export interface RollingServices {
  readonly commands: CommandHandler;
  readonly git: Git;
  readonly storage: Storage;
  readonly repositoryLocks: RepositoryLocks;
}

/** What a repository on disk had to learn from the log. */
export interface RolledForward {
  /** Refs that moved. */
  readonly changes: readonly RefChange[];
  /** The branch that HEAD names since; undefined where it did before. */
  readonly head: string | undefined;
}

/** Runs `work` while nobody else works on the refs of the repository, once they are where the log says. */
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

/** Makes sure that the refs on disk are where the log says: for whoever is about to let git read them. */
export async function settleRefs(services: RollingServices, repositoryId: number): Promise<void> {
  if (await services.repositoryLocks.pending.has(repositoryId))
    await withRefs(services, repositoryId, () => Promise.resolve());
}

/**
 * Moves the refs on disk to where the log says, and counts what the repository takes. Only for the holder of the
 * repository's lock. A repository to be is left alone: whoever creates it is at work, or it is swept later.
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
    await countStorage(services, repositoryId);
  }
  if (state.status === 'deleted') await clearAway(services, repositoryId);
  else if (state.status !== 'absent') await repositoryLocks.pending.clear(repositoryId);
  return rolled;
}

/** Lets HEAD on disk name the default branch, whatever that is by now. Only for the holder of the repository's lock. */
export async function nameDefaultBranch(
  { commands, git }: Pick<RollingServices, 'commands' | 'git'>,
  repositoryId: number,
): Promise<void> {
  const { defaultBranch } = (await commands.load(Repository, repositoryId)).state.settings;
  if ((await git.head(repositoryId)) !== defaultBranch) await git.setHead(repositoryId, defaultBranch);
}

/** Frees what a deleted repository took: its folder, and its owner's bytes. Only for the holder of its lock. */
export async function clearAway(
  { commands, git, storage, repositoryLocks }: RollingServices,
  repositoryId: number,
): Promise<Position> {
  const { ownerId } = (await commands.load(Repository, repositoryId)).state;
  const context = systemCommand();
  await git.remove(repositoryId);
  const position = await storage.forget(ownerId, String(repositoryId), context);
  await repositoryLocks.pending.clear(repositoryId);
  return position;
}

/** What `rollForward` would change. */
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

/** What was counted, and what a read has to show to show it. */
export interface Counted {
  readonly bytes: bigint;
  readonly position: Position;
}

/**
 * Measures a repository and notes in its owner's ledger what it takes, in place of what was reserved for it. Where it went
 * to another owner since it was reserved, it counts there alone; one that is deleted counts nowhere.
 */
export async function countStorage(
  { commands, git, storage }: Pick<RollingServices, 'commands' | 'git' | 'storage'>,
  repositoryId: number,
  reservation?: Reservation,
): Promise<Counted> {
  const context = systemCommand();
  const objectId = String(repositoryId);
  const [measuring] = await Promise.allSettled([git.sizeOf(repositoryId)]);
  const { status, ownerId, isPrivate } = (await commands.load(Repository, repositoryId)).state;
  if (status === 'deleted')
    return { bytes: 0n, position: await storage.forget(reservation?.ownerId ?? ownerId, objectId, context) };
  if (measuring.status === 'rejected') throw measuring.reason;
  const bytes = measuring.value;
  if (reservation?.ownerId === ownerId)
    return { bytes, position: await storage.settle(reservation, bytes, context) };
  if (reservation) await storage.forget(reservation.ownerId, objectId, step(context, 'forget'));
  const measured = { objectId, subject: subjectOf({ isPrivate }), bytes };
  const isOwned = async () => {
    const { state } = await commands.load(Repository, repositoryId);
    return state.status === 'exists' && state.ownerId === ownerId;
  };
  return { bytes, position: await storage.record(ownerId, measured, context, isOwned) };
}

/**
 * As `countStorage`, for who does not hold the repository's lock: what was measured before others moved refs is not noted
 * after what they measured.
 */
export const countAlone = (
  services: RollingServices,
  repositoryId: number,
  reservation?: Reservation,
): Promise<Counted> =>
  services.repositoryLocks.run(repositoryId, () => countStorage(services, repositoryId, reservation));

/** What the bytes of a repository count as. */
export const subjectOf = ({ isPrivate }: { readonly isPrivate: boolean }): UsageSubject =>
  isPrivate ? 'size:repos:private' : 'size:repos:public';
