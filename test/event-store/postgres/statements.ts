import pg from 'pg';

/** The texts of all statements that any connection of this process sends until `restore` is called. */
export function recordStatements(): { readonly texts: string[]; restore(): void } {
  const texts: string[] = [];
  const original = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;
  const recording = function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }];
    texts.push(typeof statement === 'string' ? statement : statement.text);
    return Reflect.apply(original, this, args);
  };
  Reflect.set(pg.Client.prototype, 'query', recording);
  return {
    texts,
    restore: () => {
      Reflect.set(pg.Client.prototype, 'query', original);
    },
  };
}
