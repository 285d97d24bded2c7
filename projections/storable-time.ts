import { isStorableTime } from '../src/domain/storable-time.js';

/**
 * A time in UTC, as RFC 3339 has offsets that PostgreSQL does not take; null for what is no storable time, which events of old
 * may hold.
 */
export function storableTime(time: string | null): string | null {
  const utc = new Date(time ?? NaN);
  return isStorableTime(utc) ? utc.toISOString() : null;
}
