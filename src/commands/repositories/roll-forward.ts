import { changesBetween, type RefChange } from '../../domain/repositories/refs.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { UsageSubject } from '../../domain/quota/subjects.js';
import { later, type Position } from '../../event-store/event-store.js';
import type { Git } from '../../git/git.js';
import { step, systemCommand } from '../context.js';
import type { CommandHandler } from '../handle.js';
import type { Reservation, Storage } from '../quota/storage.js';
import type { RepositoryLocks } from './repository-locks.js';

/** The services for bringing a repository on disk to the state of the log and counting its bytes, under locks. */
export interface RollingServices {
  readonly commands: CommandHandler;
  readonly git: Git;
  readonly storage: Storage;
  readonly repositoryLocks: RepositoryLocks;
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

/**
 * Runs `work`, which may give the repository another default branch in the log, under its lock, and then makes HEAD on disk
 * name that. The repository is noted meanwhile, so that the next user of its refs does what was cut off.
 */
export function withHead(
  services: RollingServices,
  repositoryId: number,
  work: () => Promise<Position>,
): Promise<Position> {
  const { git, repositoryLocks } = services;
  const { pending } = repositoryLocks;
  return withRefs(services, repositoryId, async () => {
    await pending.note(repositoryId);
    const worked = await work();
    await git.mendRefs(repositoryId); // a power failure may have left a lock of HEAD, and no note
    await nameDefaultBranch(services, repositoryId);
    const counted = await countStorage(services, repositoryId);
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
    await countStorage(services, repositoryId);
  }
  if (state.status === 'deleted') await clearAway(services, repositoryId);
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
): Promise<Position> {
  const { ownerId } = (await commands.load(Repository, repositoryId)).state;
  const context = systemCommand();
  await git.remove(repositoryId);
  const position = await storage.forget(ownerId, String(repositoryId), context);
  await repositoryLocks.pending.clear(repositoryId);
  return position;
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

/** The counted bytes, and the position that read models must have reached to show them. */
export interface Counted {
  readonly bytes: bigint;
  readonly position: Position;
}

/**
 * Measures a repository and records its bytes in the owner's ledger, in place of the reservation. If it has another
 * owner than when it was reserved, it counts only for the present one; a deleted repository counts nowhere.
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
  if (reservation) await storage.forget(reservation.ownerId, objectId, step(context, 'forget'), ownerId);
  const measured = { objectId, subject: subjectOf({ isPrivate }), bytes };
  const isOwned = async () => {
    const { state } = await commands.load(Repository, repositoryId);
    return state.status === 'exists' && state.ownerId === ownerId;
  };
  return { bytes, position: await storage.record(ownerId, measured, context, isOwned) };
}

/**
 * Like `countStorage`, for callers that do not hold the repository's lock. Takes the lock, so that an older measurement
 * is not recorded after that of a later move of refs.
 */
export const countAlone = (
  services: RollingServices,
  repositoryId: number,
  reservation?: Reservation,
): Promise<Counted> =>
  services.repositoryLocks.run(repositoryId, () => countStorage(services, repositoryId, reservation));

/** Returns the subject that the bytes of a repository count under. */
export const subjectOf = ({ isPrivate }: { readonly isPrivate: boolean }): UsageSubject =>
  isPrivate ? 'size:repos:private' : 'size:repos:public';
