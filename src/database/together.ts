import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable } from './database.js';

/**
 * A look-up of one key made of a query for many: the keys that are asked for in one turn of the event loop share a
 * statement. For look-ups of which many requests make one at the same time.
 */
export function together<Key, Found>(
  find: (db: Queryable, keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
): (db: Queryable, key: Key) => Promise<Found | undefined> {
  const gathering = new WeakMap<Queryable, { keys: Set<Key>; found: Promise<ReadonlyMap<Key, Found>> }>();

  const begin = (db: Queryable) => {
    const keys = new Set<Key>();
    const found = nextTurn().then(() => {
      gathering.delete(db);
      return find(db, [...keys]);
    });
    const turn = { keys, found };
    gathering.set(db, turn);
    return turn;
  };

  return async (db, key) => {
    const { keys, found } = gathering.get(db) ?? begin(db);
    keys.add(key);
    return (await found).get(key);
  };
}

/** Of these keys, what such a look-up finds. */
export async function findEach<Key, Found>(
  find: (db: Queryable, key: Key) => Promise<Found | undefined>,
  db: Queryable,
  keys: readonly Key[],
): Promise<ReadonlyMap<Key, Found>> {
  const found = new Map<Key, Found>();
  const look = async (key: Key) => {
    const one = await find(db, key);
    if (one !== undefined) found.set(key, one);
  };
  await Promise.all(keys.map(look));
  return found;
}
