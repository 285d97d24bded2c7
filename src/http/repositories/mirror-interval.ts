import { invalid } from '../../domain/errors.js';
import { parseDuration } from './duration.js';

const LEAST_SECONDS = 600;
/** Forgejo and Gitea count 64 bits of nanoseconds, which are 292 years. */
const MOST_SECONDS = 9_223_372_036;
const DEFAULT_SECONDS = 8 * 3600;

/**
 * Parses the interval between two pulls of a mirror, in seconds: 8 hours if it is empty; 0 for pulls by hand only. Throws
 * 422 if it is otherwise below 10 minutes, or more than Forgejo and Gitea can count.
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
