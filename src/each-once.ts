/** Where answers are kept by key, as long as it likes. */
interface Kept<T> {
  get(key: string): unknown;
  set(key: string, answer: T): unknown;
}

/**
 * What is said of each of these names: as it is kept, or as it is asked for, together, and then kept. Nobody is asked where
 * all is kept.
 */
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
