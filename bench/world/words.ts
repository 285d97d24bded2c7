const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');
const WORDS = SYLLABLES.length ** 4;
/** Prime, so that multiplying by it visits every word once. */
const STRIDE = 99_991;

/** The word with that number: eight letters, as unlike its neighbours as words of different people are. */
export function wordOf(number: number): string {
  const place = (number * STRIDE) % WORDS;
  return [8_000, 400, 20, 1].map((power) => SYLLABLES[Math.floor(place / power) % 20]).join('');
}

/** So many words that follow from a number. */
export const textOf = (number: number, words: number): string =>
  Array.from({ length: words }, (_, index) => wordOf(number * 31 + index * 7_919)).join(' ');
