import { subjectOf } from '../../domain/quota/subjects.js';
import type { RefChange } from '../../domain/repositories/refs.js';
import type { RepositoryState } from '../../domain/repositories/repository.js';
import { step, type CommandContext } from '../context.js';
import { orUndo } from '../or-undo.js';
import { refsGrowth } from './refs-growth.js';
import { updateRefs, type RefServices, type RefsMoved, type RefsUpdate } from './update-refs.js';

/** A new ref to an object that is in the repository already. */
export interface NewRef extends Pick<RefsUpdate, 'mayStill'> {
  readonly repositoryId: number;
  /** The state that the change was decided on. */
  readonly state: RepositoryState;
  readonly pusherId: number;
  readonly change: RefChange;
}

/** Creates a ref. Reserves the few bytes that it takes first, so that `QuotaExceeded` leaves no trace. */
export async function createRef(
  services: RefServices,
  { repositoryId, state, pusherId, change, ...still }: NewRef,
  context: CommandContext,
): Promise<RefsMoved> {
  const { storage } = services;
  const room = step(context, 'room');
  const bytes = await refsGrowth(services, repositoryId, [change]);
  const objectId = String(repositoryId);
  const request = { objectId, subject: subjectOf(state), bytes, sizeUnknown: true };
  const reservation = await storage.reserve(state.ownerId, request, room);
  // After `EventStoreUnavailable` the ref may be there: it is counted once the lease runs out.
  return orUndo([() => storage.release(reservation, room)], () => {
    const judgedBy = state.branchProtections;
    const update = { repositoryId, pusherId, changes: [change], judgedBy, reservation, ...still };
    return updateRefs(services, update, context);
  });
}
