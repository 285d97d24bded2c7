import { hash } from 'node:crypto';
import type { HeldRow } from './quota-rows.js';

const BUCKETS = 4_096;
const BITS = 128;

/**
 * Digests of any number of rows, in whatever order they come, in little memory: in each bucket the sum of the hashes of
 * its rows. Where rows differ, the digests of their buckets do.
 */
export class RowDigests {
  readonly #sums = Array.from({ length: BUCKETS }, () => 0n);
  readonly #rows = Array.from({ length: BUCKETS }, () => 0);

  /** Adds a row to its bucket. */
  add(row: HeldRow): void {
    const hashed = hashOf(row);
    const bucket = bucketWith(hashed);
    this.#sums[bucket] = BigInt.asUintN(BITS, (this.#sums[bucket] ?? 0n) + hashed);
    this.#rows[bucket] = this.rowsIn(bucket) + 1;
  }

  /** Returns how many rows were added to a bucket. */
  rowsIn(bucket: number): number {
    return this.#rows[bucket] ?? 0;
  }

  /** Returns the buckets that hold other rows than those of `other`. */
  differing(other: RowDigests): readonly number[] {
    return this.#sums.flatMap((sum, bucket) =>
      sum === other.#sums[bucket] && this.rowsIn(bucket) === other.rowsIn(bucket) ? [] : [bucket],
    );
  }
}

/** Returns the bucket that a row is in. */
export const bucketOf = (row: HeldRow): number => bucketWith(hashOf(row));

const bucketWith = (hashed: bigint): number => Number(hashed % BigInt(BUCKETS));

const hashOf = ({ row, from, until }: HeldRow): bigint =>
  BigInt.asUintN(BITS, BigInt(`0x${hash('sha256', `${row} from ${from} to ${until}`)}`));
