import pg from 'pg';

/** What asks a connection that only listens, now and then, whether it still lives. */
const STILL_THERE = 'select 1';

/** The texts of all statements of their own that connections of this process send until `restore` is called. */
export function recordStatements(): { readonly texts: string[]; restore(): void } {
  const texts: string[] = [];
  const original = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;
  const recording = function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }];
    const text = typeof statement === 'string' ? statement : statement.text;
    if (text !== STILL_THERE) texts.push(text);
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
