import { isStorableTime } from '../src/domain/storable-time.js';

/**
 * Converts a time to UTC, because RFC 3339 allows offsets that PostgreSQL rejects. Returns null if it is no storable time,
 * which old events may hold.
 */
export function storableTime(time: string | null): string | null {
  const utc = new Date(time ?? NaN);
  return isStorableTime(utc) ? utc.toISOString() : null;
}
