import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '../../src/event-store/event-store.js';

const QUIET_MS = 300;

/** Resolves once something was appended after `before`, and then nothing for a while: what was begun waits for its answer alone. */
export async function appendedAfter(
  log: { lastPosition(): Promise<Position> },
  before: Position,
): Promise<void> {
  for (let last = before, now = before; now === before || now !== last; now = await log.lastPosition()) {
    last = now;
    await sleep(QUIET_MS);
  }
}
