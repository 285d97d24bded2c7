/**
 * Tells whether a time is within the years 1 to 9999 UTC, which RFC 3339 can express and databases can store. False for
 * an invalid date.
 */
export function isStorableTime(moment: Date): boolean {
  const year = moment.getUTCFullYear(); // NaN for an invalid date
  return year >= 1 && year <= 9999;
}
