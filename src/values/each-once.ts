/** A cache, which may drop entries at any time. */
interface Kept<T> {
  get(key: string): unknown;
  set(key: string, answer: T): unknown;
}

/** Looks each name up in the cache, asks for all missing ones with a single call of `ask`, and caches its answers. */
export async function eachOnce<T>(
  kept: Kept<NoInfer<T>>,
  names: readonly string[],
  keyOf: (name: string) => string,
  ask: (unknown: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<Map<string, T>> {
  const answers = new Map<string, T>();
  for (const name of names) {
    const known = kept.get(keyOf(name)) as T | undefined;
    if (known !== undefined) answers.set(name, known);
  }
  const unknown = names.filter((name) => !answers.has(name));
  if (unknown.length === 0) return answers;
  for (const [name, answer] of await ask(unknown)) {
    kept.set(keyOf(name), answer);
    answers.set(name, answer);
  }
  return answers;
}
