/**
 * Whether a moment lies between the years 1 and 9999 of UTC, which is what RFC 3339 can say and a database keep. An invalid date
 * does not.
 */
export function isStorableTime(moment: Date): boolean {
  const year = moment.getUTCFullYear(); // NaN for an invalid date
  return year >= 1 && year <= 9999;
}
