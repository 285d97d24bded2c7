import { setTimeout as sleep } from 'node:timers/promises';

/** Waits between attempts, in milliseconds: about `first`, doubled each time, never more than `most`. */
export interface BackOff {
  readonly first: number;
  readonly most: number;
}

/** Waits after the given number of failures, by half or more of the full time so that many do not return at once. */
export async function pause({ first, most }: BackOff, failures: number, signal?: AbortSignal): Promise<void> {
  const full = Math.min(most, first * 2 ** Math.min(failures - 1, 30));
  await sleep(full * (0.5 + Math.random() / 2), undefined, signal && { signal }).catch(() => undefined);
}
