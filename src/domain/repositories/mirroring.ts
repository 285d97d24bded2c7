import type { Message } from '../decider.js';
import { conflict } from '../errors.js';
import type { Mirror, RepositoryEvent } from './repository-messages.js';

/** What rules know of a mirror; `triedAt` is when it was last pulled, whatever came of it. */
export interface MirroringState {
  readonly mirror: Mirror | null;
  readonly triedAt: string | undefined;
}

const CLOCKS_DIFFER_MS = 60 * 60 * 1000;

/** What came of one pull of a mirror; without a failure it is where its source is. */
export type MirroringCommand = Message<'RecordPull', { failure?: string; at: string }>;

/** A mirror notes each pull, so that the next one is due an interval later, whatever came of it. */
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
 * Whether its interval has passed since it was last tried; also where that was an hour from now, by a clock that was
 * ahead.
 */
export function isPullDue({ mirror, triedAt }: MirroringState, now: Date): boolean {
  if (!mirror || mirror.intervalSeconds === 0) return false;
  if (triedAt === undefined) return true;
  const passed = now.getTime() - Date.parse(triedAt);
  return passed >= mirror.intervalSeconds * 1000 || passed < -CLOCKS_DIFFER_MS;
}
