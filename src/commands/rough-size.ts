import { isCollection } from 'immutable';

/** How many members of a collection are measured; the others count as their average. */
const SAMPLE = 8;

/**
 * Estimates how many bytes of memory a state takes. It runs after each command, so it measures only a few members of a
 * collection: microseconds, however large the state is.
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
