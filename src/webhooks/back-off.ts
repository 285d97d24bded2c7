const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses between attempts, in milliseconds: almost twelve hours in all. */
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

/** The longest pause that a receiver may ask for; a longer one is cut to it. */
export const LONGEST_PAUSE_MS = 4 * HOUR;

/** The largest random extension of a pause, as a fraction of it, so that deliveries that failed together are spread out. */
const SPREAD = 0.1;

/**
 * Returns how many milliseconds to wait after the attempt of this number (from 1), or undefined after the last. A receiver
 * that asked for a longer pause gets it, up to four hours. `random` returns a number from 0 up to but excluding 1.
 */
export function pauseAfter(attempt: number, askedForMs = 0, random = Math.random): number | undefined {
  const pause = PAUSES_MS[attempt - 1];
  if (pause === undefined) return undefined;
  return Math.round(Math.max(pause * (1 + SPREAD * random()), Math.min(askedForMs, LONGEST_PAUSE_MS)));
}

/** Parses `Retry-After`, which has seconds or a date, to milliseconds from now. Returns 0 if it is absent or malformed. */
export function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
