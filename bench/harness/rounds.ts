/** A subject against its floor, in the same unit. */
export interface Comparison {
  readonly floor: number;
  readonly subject: number;
  /** The median of the rounds' ratios, subject to floor. */
  readonly ratio: number;
}

/**
 * Measures floor and subject alternately, after a round that does not count. Both run under the same conditions, so the
 * ratio is reliable even if the figures are not.
 */
export async function compare(
  rounds: number,
  floor: () => Promise<number>,
  subject: () => Promise<number>,
): Promise<Comparison> {
  await floor();
  await subject();
  const pairs: { readonly floor: number; readonly subject: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push({ floor: await floor(), subject: await subject() });
  }
  return {
    floor: median(pairs.map((pair) => pair.floor)),
    subject: median(pairs.map((pair) => pair.subject)),
    ratio: median(pairs.map((pair) => pair.subject / pair.floor)),
  };
}

/** The middle value; of an even number of them, the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[(values.length - 1) >> 1];
  if (middle === undefined) throw new RangeError('there is no median of nothing');
  return middle;
}

/** Measures how often per second `workers` can do `work`, each one call after the other, over `seconds`. */
export async function rate(
  workers: number,
  seconds: number,
  work: (worker: number) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (performance.now() < end) {
        await work(worker);
        done++;
      }
    }),
  );
  return done / ((performance.now() - startedAt) / 1000);
}
