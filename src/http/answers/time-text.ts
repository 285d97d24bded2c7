/** The time that clients and servers written in Go write for none. */
export const NO_TIME = '0001-01-01T00:00:00Z';

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const two = (number: number) => TWO_DIGITS[number] ?? '';

/** Formats a time as UTC, to the second. Three times as fast as `toISOString`, which matters in lists of hundreds. */
export function timeText(time: Date): string {
  const year = String(time.getUTCFullYear()).padStart(4, '0');
  const day = `${year}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`;
  return `${day}T${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}Z`;
}
