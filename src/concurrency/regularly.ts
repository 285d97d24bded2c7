import { pause } from './pause.js';

/** Runs `work` now, and again `everyMs` after each end of it, until aborted. Never rejects: its failures go to `onError`. */
export async function regularly(
  work: () => Promise<unknown>,
  everyMs: number,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await work().catch(onError);
    await pause(everyMs, signal);
  }
}
