import { invalid } from '../../domain/errors.js';
import { parseDuration } from './duration.js';

const LEAST_SECONDS = 600;
const DEFAULT_SECONDS = 8 * 3600;

/** The seconds between two pulls of a mirror: 8 hours where it is empty, 0 for by hand alone. Refuses less than 10 minutes. */
export function mirrorInterval(text: string): number {
  const seconds = text === '' ? DEFAULT_SECONDS : parseDuration(text);
  if (seconds === undefined || (seconds !== 0 && seconds < LEAST_SECONDS) || !Number.isSafeInteger(seconds))
    throw invalid(
      'mirror.interval',
      'MirrorInterval',
      'must be a duration of 10m at least, such as 8h0m0s, or 0',
    );
  return seconds;
}
