import { isCollection } from 'immutable';

/** Members of a collection that are looked at. */
const SAMPLE = 8;

/**
 * Roughly the bytes of memory that a state takes. It is asked after each command, so a few members stand for all of a
 * collection: it takes microseconds, however large the state is.
 */
export function roughSize(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (Array.isArray(value)) return sizeOfAll(value, value.length);
  if (isCollection(value)) return sizeOfAll(value, value.count());
  return Object.values(value).reduce((bytes: number, field) => bytes + 8 + roughSize(field), 32);
}

function sizeOfAll(members: Iterable<unknown>, count: number): number {
  let [sampled, bytes] = [0, 0];
  for (const member of members) {
    bytes += 32 + roughSize(member);
    if (++sampled === SAMPLE) break;
  }
  return 64 + Math.ceil((bytes / Math.max(1, sampled)) * count);
}
