/** Caches the values of `make`. Clears the cache when it holds `most` of them. */
export function memoised<Key, Value extends object>(
  make: (key: Key) => Value,
  most: number,
): (key: Key) => Value {
  const kept = new Map<Key, Value>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size === most) kept.clear();
    const made = make(key);
    kept.set(key, made);
    return made;
  };
}
