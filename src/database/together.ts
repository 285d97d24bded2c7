import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Turns a query for many keys into a look-up of one key, which batches the keys of one turn of the event loop into one
 * statement. For look-ups that many concurrent requests make.
 */
export function together<Place extends object, Key, Found>(
  find: (db: Place, keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
): (db: Place, key: Key) => Promise<Found | undefined> {
  const gathering = new WeakMap<Place, { keys: Set<Key>; found: Promise<ReadonlyMap<Key, Found>> }>();

  const begin = (db: Place) => {
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

/** Looks each of these keys up with such a look-up; keys that are not found are left out. */
export async function findEach<Place extends object, Key, Found>(
  find: (db: Place, key: Key) => Promise<Found | undefined>,
  db: Place,
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
