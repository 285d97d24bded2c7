import { isOrdered, Map, Set } from 'immutable';

/** A value that JSON represents without loss. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

/** How the state of an aggregate is stored, so that a long stream need not be read from its beginning. */
export interface SnapshotForm<State> {
  /** Must be raised with any change of the state's shape or of how events change it; older snapshots are then ignored. */
  readonly version: number;
  write(state: State): Plain;
  /** Restores the state that `write` was given. Throws if `kept` does not come from `write`. */
  read(kept: Plain): State;
}

/** Returns the form for states made of plain objects, arrays, Immutable's `Map` and `Set`, bigint and JSON values. */
export const snapshotForm = <State extends object>(version: number): SnapshotForm<State> => ({
  version,
  write,
  read: (kept) => read(kept) as State,
});

// Values that JSON lacks are stored as an object with one field, whose name no state uses.
const MARKS = { map: '$map', set: '$set', bigint: '$bigint', undefined: '$undefined' } as const;

function write(value: unknown): Plain {
  if (typeof value === 'bigint') return { [MARKS.bigint]: String(value) };
  if (value === undefined) return { [MARKS.undefined]: true };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map(write);
  if (Map.isMap(value) && !isOrdered(value))
    return { [MARKS.map]: Array.from(value, ([key, item]) => [write(key), write(item)]) };
  if (Set.isSet(value) && !isOrdered(value)) return { [MARKS.set]: Array.from(value, write) };
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [named(name), write(item)]));
  throw new TypeError(`a snapshot cannot hold a ${typeof value} of this kind`);
}

function named(name: string): string {
  if (name.startsWith('$')) throw new TypeError(`a snapshot cannot hold a field ${name}`);
  return name;
}

function read(kept: Plain): unknown {
  if (typeof kept !== 'object' || kept === null) return kept;
  if (isList(kept)) return kept.map(read);
  const { $map: map, $set: set, $bigint: bigint, $undefined: nothing } = kept;
  if (nothing) return undefined;
  if (typeof bigint === 'string') return BigInt(bigint);
  if (set) return Set(listOf(set).map(read));
  if (map) return Map(listOf(map).map((entry) => listOf(entry).map(read) as [unknown, unknown]));
  return Object.fromEntries(Object.entries(kept).map(([name, item]) => [name, read(item)]));
}

const isList = (kept: Plain): kept is readonly Plain[] => Array.isArray(kept);

function listOf(kept: Plain): readonly Plain[] {
  if (!isList(kept)) throw new TypeError('not a snapshot');
  return kept;
}
