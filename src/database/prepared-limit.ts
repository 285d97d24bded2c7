/**
 * So many statements stay prepared on one connection, those used last: what callers ask for can be put together in hundreds
 * of thousands of ways, and the server keeps up to half a megabyte for each until it is told to close it.
 */
export const MAX_PREPARED = 300;

/** The names that are too many, of those `prepared` in the order of their last use; what `isInUse` stays. */
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
