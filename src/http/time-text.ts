const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const two = (number: number) => TWO_DIGITS[number] ?? '';

/** A time as the API gives it: UTC, to the second. Takes a third of the time of `toISOString`: lists hold hundreds. */
export function timeText(time: Date): string {
  const year = String(time.getUTCFullYear()).padStart(4, '0');
  const day = `${year}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`;
  return `${day}T${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}Z`;
}
