import { setTimeout as sleep } from 'node:timers/promises';

/** Waits between attempts, in milliseconds: about `first`, doubled each time, never more than `most`. */
export interface BackOff {
  readonly first: number;
  readonly most: number;
}

/** Waits after so many failures in a row: for half of the full time or more, so that many do not return at once. */
export async function pauseAfter(
  failures: number,
  { first, most }: BackOff,
  signal?: AbortSignal,
): Promise<void> {
  const full = Math.min(most, first * 2 ** Math.min(failures - 1, 30));
  await sleep(full * (0.5 + Math.random() / 2), undefined, signal && { signal }).catch(() => undefined);
}
