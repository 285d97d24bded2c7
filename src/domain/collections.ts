/** The map with one entry more or changed; the given one is left as it is. */
export const withEntry = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> =>
  new Map(map).set(key, value);

/** The map without an entry; the given one is left as it is. */
export function withoutEntry<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

/** What is in `left` and not in `right`, each once, in the order of `left`. */
export function difference<T>(left: Iterable<T>, right: Iterable<T>): T[] {
  const without = new Set(right);
  return [...new Set(left)].filter((value) => !without.has(value));
}
