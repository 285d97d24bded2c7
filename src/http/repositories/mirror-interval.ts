import { invalid } from '../../domain/errors.js';
import { parseDuration } from './duration.js';

const LEAST_SECONDS = 600;
/** Our peers count 64 bits of nanoseconds: 292 years. */
const MOST_SECONDS = 9_223_372_036;
const DEFAULT_SECONDS = 8 * 3600;

/**
 * The seconds between two pulls of a mirror: 8 hours where it is empty, 0 for by hand alone. Refuses others below 10
 * minutes, and more than our peers can count.
 */
export function mirrorInterval(text: string): number {
  const seconds = text === '' ? DEFAULT_SECONDS : parseDuration(text);
  if (seconds === undefined || (seconds !== 0 && seconds < LEAST_SECONDS) || seconds > MOST_SECONDS)
    throw invalid(
      'mirror.interval',
      'MirrorInterval',
      'must be a duration from 10m to 292 years, such as 8h0m0s, or 0',
    );
  return seconds;
}
