import type { Context } from './context.js';

/** A query's parameters by name, decoded. */
export type QueryParameters = Readonly<Record<string, string>>;

const queries = new WeakMap<Context, QueryParameters>();
const NONE: QueryParameters = Object.freeze(Object.create(null) as QueryParameters);

/** Parses the query's parameters. If one is repeated, the first counts. Names such as `__proto__` are ordinary names. */
export function queryOf(ctx: Context): QueryParameters {
  const text = ctx.querystring;
  if (text === '') return NONE;
  let query = queries.get(ctx);
  if (!query) queries.set(ctx, (query = firstOfEach(new URLSearchParams(text))));
  return query;
}

function firstOfEach(parameters: URLSearchParams): QueryParameters {
  const query = Object.create(null) as Record<string, string>;
  for (const [name, value] of parameters) query[name] ??= value;
  return query;
}

/** How many names of a comma-separated list are read; more than anybody writes. */
export const MOST_NAMES = 20;

/** Splits a comma-separated list into trimmed names, without empty ones. Names beyond `MOST_NAMES` are dropped. */
export const listed = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .slice(0, MOST_NAMES);
