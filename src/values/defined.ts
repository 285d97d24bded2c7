type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Returns the fields that are not undefined, for types in which an optional field may be absent but not undefined. */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
