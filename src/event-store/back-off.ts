import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses between attempts, in milliseconds: about `first`, doubled each time, never more than `most`. */
export interface BackOff {
  readonly first: number;
  readonly most: number;
}

/** Waits after this many failures in a row: for a random half or more of the pause, so that retries spread out. */
export async function pauseAfter(
  failures: number,
  { first, most }: BackOff,
  signal?: AbortSignal,
): Promise<void> {
  const full = Math.min(most, first * 2 ** Math.min(failures - 1, 30));
  await sleep(full * (0.5 + Math.random() / 2), undefined, signal && { signal }).catch(() => undefined);
}
