import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after so many milliseconds, or as soon as it is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
