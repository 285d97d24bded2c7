/**
 * How many statements stay prepared on one connection, the most recently used ones. Queries can be composed in hundreds of
 * thousands of ways, and the server keeps up to half a megabyte for each until it is closed.
 */
export const MAX_PREPARED = 300;

/** Returns the names that exceed the limit. `prepared` is ordered by last use, oldest first; names in use stay. */
export function namesToClose(
  prepared: { readonly size: number; keys(): Iterable<string> },
  isInUse: (name: string) => boolean,
): string[] {
  const names: string[] = [];
  for (const name of prepared.keys()) {
    if (prepared.size - names.length <= MAX_PREPARED) break;
    if (!isInUse(name)) names.push(name);
  }
  return names;
}
