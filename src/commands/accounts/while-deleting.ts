import { setTimeout as sleep } from 'node:timers/promises';

/** How long the end of a deletion is waited for, in ms. Most take less; one that was cut off never ends. */
const WAIT_MS = 1_000;

/** How often it is looked for meanwhile, in ms. */
const LOOK_MS = 25;

/**
 * Looks whether the deletion of an account that is under way has come to its end, again and again for a second at most.
 * Returns what was seen last, which may be that it has not.
 */
export async function whileDeleting<T>(look: () => Promise<T>, hasEnded: (seen: T) => boolean): Promise<T> {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const seen = await look();
    if (hasEnded(seen) || performance.now() >= until) return seen;
    await sleep(LOOK_MS);
  }
}
