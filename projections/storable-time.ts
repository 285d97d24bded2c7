/**
 * A time in UTC, as RFC 3339 has offsets that PostgreSQL does not take; null for what is no time from year 1 to year 9999,
 * which events of old may hold.
 */
export function storableTime(time: string | null): string | null {
  const utc = new Date(time ?? NaN);
  const year = utc.getUTCFullYear(); // NaN where it is none
  return year >= 1 && year <= 9999 ? utc.toISOString() : null;
}
