const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses between attempts: almost twelve hours in all. */
export const PAUSES_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  4 * HOUR,
];

/** So long a receiver is waited for at most, whatever it asks for. */
const LONGEST_PAUSE_MS = 4 * HOUR;

/** How much longer a pause may get by chance, so that what failed together does not come back together. */
const SPREAD = 0.1;

/**
 * The milliseconds to wait after the attempt of this number (from 1); undefined after the last. A receiver that asked
 * for more time gets it, up to four hours. `random` is at least 0 and below 1.
 */
export function pauseAfter(attempt: number, askedForMs = 0, random = Math.random): number | undefined {
  const pause = PAUSES_MS[attempt - 1];
  if (pause === undefined) return undefined;
  return Math.round(Math.max(pause * (1 + SPREAD * random()), Math.min(askedForMs, LONGEST_PAUSE_MS)));
}

/** What `Retry-After` asks for, in milliseconds: seconds, or a date. 0 where it says nothing that can be read. */
export function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
