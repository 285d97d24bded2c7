import { DomainError } from '../../domain/errors.js';
import type { RefChange } from '../../domain/repositories/refs.js';
import type { RepositoryState } from '../../domain/repositories/repository.js';
import type { Staging } from '../../git/port/staging.js';
import { step, type CommandContext } from '../context.js';
import { refsGrowth } from './refs-growth.js';
import { countAlone, subjectOf } from './roll-forward.js';
import { updateRefs, type RefServices, type RefsMoved, type RefsUpdate } from './update-refs.js';

/** Objects that were written aside, and the one ref that is to lead to them. Whoever staged them discards the rest. */
export interface StagedChange extends Pick<RefsUpdate, 'mayStill'> {
  readonly repositoryId: number;
  /** As it was decided on. */
  readonly state: RepositoryState;
  readonly pusherId: number;
  readonly staging: Staging;
  readonly change: RefChange;
  /** How often the command was tried, on other states: each time it reserves anew. */
  readonly attempt?: number;
}

/**
 * Moves what is staged into the repository and a ref to it. Room is reserved first, so that `QuotaExceeded` leaves no
 * trace.
 */
export async function publishStaged(
  services: RefServices,
  { repositoryId, state, pusherId, staging, change, attempt = 1, ...still }: StagedChange,
  context: CommandContext,
): Promise<RefsMoved> {
  const { storage } = services;
  const room = step(context, `room, attempt ${attempt}`);
  const bytes = (await staging.bytes()) + (await refsGrowth(services, repositoryId, [change]));
  const request = { objectId: String(repositoryId), subject: subjectOf(state), bytes };
  const reservation = await storage.reserve(state.ownerId, request, room);
  try {
    await staging.publish();
  } catch (error) {
    await storage.release(reservation, room);
    throw error;
  }
  try {
    const judgedBy = state.branchProtections;
    const update = { repositoryId, pusherId, changes: [change], judgedBy, reservation, ...still };
    return await updateRefs(services, update, context);
  } catch (error) {
    // The objects are there whatever became of the ref. Of anything but a refusal the outcome is unknown: as where this
    // fails, the lease runs out, and what was stored is counted then.
    if (error instanceof DomainError)
      await countAlone(services, repositoryId, reservation).catch(() => undefined);
    throw error;
  }
}
