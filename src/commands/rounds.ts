/** The most that one append holds. Twice these bytes fit in any, so that what is appended with each item finds room. */
const MAX_BYTES = 524_288;

/** Splits items, in their order, into parts of so many that one append can hold each; no parts if there are no items. */
export function roundsOf<T>(items: readonly T[], most: number): T[][] {
  const rounds: T[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    const round = rounds.at(-1);
    if (round && round.length < most && bytes + size <= MAX_BYTES) {
      round.push(item);
      bytes += size;
    } else {
      rounds.push([item]);
      bytes = size;
    }
  }
  return rounds;
}
