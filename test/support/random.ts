/** Repeatable randomness (mulberry32): the same seed gives the same numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, and below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, at least 0, and below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** One of them; undefined where there is none. */
  anyOf<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** Some of them, in their order. */
  some<T>(list: readonly T[]): T[] {
    return list.filter(() => this.chance(0.5));
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, place: this.next() }))
      .sort((left, right) => left.place - right.place)
      .map(({ item }) => item);
  }
}
