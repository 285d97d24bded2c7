import { Repository } from '../../domain/repositories/repository.js';
import { subjectOf } from '../../domain/quota/subjects.js';
import type { Position } from '../../event-store/event-store.js';
import type { Git } from '../../git/git.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import type { Reservation } from '../quota/reservation.js';
import type { Storage } from '../quota/storage.js';
import type { RepositoryLocks } from './repository-locks.js';

/** The services for measuring a repository on disk and recording its bytes. */
export interface CountingServices {
  readonly commands: CommandHandler;
  readonly git: Git;
  readonly storage: Storage;
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
  { commands, git, storage }: CountingServices,
  repositoryId: number,
  context: CommandContext,
  reservation?: Reservation,
): Promise<Counted> {
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
  services: CountingServices & { readonly repositoryLocks: Pick<RepositoryLocks, 'run'> },
  repositoryId: number,
  context: CommandContext,
  reservation?: Reservation,
): Promise<Counted> =>
  services.repositoryLocks.run(repositoryId, () =>
    countStorage(services, repositoryId, context, reservation),
  );
