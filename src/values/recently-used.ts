import { LRUCache } from 'lru-cache';

/** What may be said of a cache beside its bound. */
export interface CacheOptions<K, V> {
  /** For how many milliseconds an entry is valid; for ever by default. */
  readonly ttl?: number;
  /** Called for each entry that leaves the cache, with the reason. */
  readonly dispose?: LRUCache.Disposer<K, V>;
}

/**
 * Returns a cache of the `max` entries that were used last. It takes memory only as entries come, whereas the option
 * `max` of `lru-cache` reserves room for all of them at once: a sixth of a millisecond and 30 kB for each thousand.
 */
export function recentlyUsed<K extends string | number, V extends object | string | number | true>(
  max: number,
  options: CacheOptions<K, V> = {},
): LRUCache<K, V> {
  return new LRUCache({ maxSize: max, sizeCalculation: one, ...options });
}

const one = () => 1;
