import { subjectOf } from '../../domain/quota/subjects.js';
import type { RefChange } from '../../domain/repositories/refs.js';
import type { RepositoryState } from '../../domain/repositories/repository.js';
import type { Staging } from '../../git/port/staging.js';
import { step, type CommandContext } from '../context.js';
import { orUndo } from '../or-undo.js';
import { countAlone } from './count-storage.js';
import { refsGrowth } from './refs-growth.js';
import { updateRefs, type RefServices, type RefsMoved, type RefsUpdate } from './update-refs.js';

/** Objects in a staging area, and the one ref that is to lead to them. The caller discards the staging. */
export interface StagedChange extends Pick<RefsUpdate, 'mayStill'> {
  readonly repositoryId: number;
  /** The state that the change was decided on. */
  readonly state: RepositoryState;
  readonly pusherId: number;
  readonly staging: Staging;
  readonly change: RefChange;
  /** As in a `StorageRequest`. */
  readonly sizeUnknown?: boolean;
  /** The number of this attempt, from 1. Each one decides on a newer state and makes its own reservation. */
  readonly attempt?: number;
}

/**
 * Moves the staged objects into the repository, and then the ref to them. Reserves room first, so that `QuotaExceeded`
 * leaves no trace.
 */
export async function publishStaged(
  services: RefServices,
  {
    repositoryId,
    state,
    pusherId,
    staging,
    change,
    sizeUnknown = false,
    attempt = 1,
    ...still
  }: StagedChange,
  context: CommandContext,
): Promise<RefsMoved> {
  const { storage } = services;
  const room = step(context, `room, attempt ${attempt}`);
  const bytes = (await staging.bytes()) + (await refsGrowth(services, repositoryId, [change]));
  const request = { objectId: String(repositoryId), subject: subjectOf(state), bytes, sizeUnknown };
  const reservation = await storage.reserve(state.ownerId, request, room);
  await orUndo([() => storage.release(reservation, room)], () => staging.publish());
  // From now on the objects are stored, even if the ref does not move. After `EventStoreUnavailable`, or if the count
  // fails, they are counted once the lease runs out.
  return orUndo([() => countAlone(services, repositoryId, context, reservation)], () => {
    const judgedBy = state.branchProtections;
    const update = { repositoryId, pusherId, changes: [change], judgedBy, reservation, ...still };
    return updateRefs(services, update, context);
  });
}
