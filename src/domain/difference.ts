/** The fields that differ, before and after. */
export interface Difference<T> {
  readonly before: Partial<T>;
  readonly after: Partial<T>;
}

/** Returns the wanted fields that differ from the present ones; undefined if none does. */
export function difference<T extends object>(is: T, wanted: Partial<T>): Difference<T> | undefined {
  const keys = (Object.keys(wanted) as (keyof T)[]).filter(
    (key) => JSON.stringify(is[key]) !== JSON.stringify(wanted[key]),
  );
  return keys.length === 0 ? undefined : { before: pick(is, keys), after: pick(wanted, keys) };
}

const pick = <T extends object>(from: Partial<T>, keys: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<T>;
