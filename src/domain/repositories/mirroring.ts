import type { Message } from '../decider.js';
import { conflict } from '../errors.js';
import type { Mirror, RepositoryEvent } from './repository-messages.js';

/** The state of a mirror. `triedAt` is the time of the last pull, successful or not. */
export interface MirroringState {
  readonly mirror: Mirror | null;
  readonly triedAt: string | undefined;
}

const CLOCKS_DIFFER_MS = 60 * 60 * 1000;

/** Records the outcome of a pull. Without `failure`, the mirror is up to date with its source. */
export type MirroringCommand = Message<'RecordPull', { failure?: string; at: string }>;

/** Records a pull, so that the next one is due an interval later, even after a failure. Refuses if there is no mirror. */
export function decideMirroring(
  { data: { failure, at } }: MirroringCommand,
  { mirror }: Pick<MirroringState, 'mirror'>,
): readonly RepositoryEvent[] {
  if (!mirror) throw conflict('mirror.none', 'the repository is no mirror');
  return failure === undefined
    ? [{ type: 'MirrorPulled', data: { pulledAt: at } }]
    : [{ type: 'MirrorPullFailed', data: { reason: failure, failedAt: at } }];
}

/**
 * Tells whether the interval has passed since the last attempt, or that attempt is more than an hour in the future,
 * because a clock was ahead.
 */
export function isPullDue({ mirror, triedAt }: MirroringState, now: Date): boolean {
  if (!mirror || mirror.intervalSeconds === 0) return false;
  if (triedAt === undefined) return true;
  const passed = now.getTime() - Date.parse(triedAt);
  return passed >= mirror.intervalSeconds * 1000 || passed < -CLOCKS_DIFFER_MS;
}
