type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Without the fields that are undefined, for types that know an absent field only. */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
