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

/** How many conditions a list in a query may come to; more than anybody writes. */
export const MOST_CONDITIONS = 20;

/** Splits a comma-separated list into trimmed names, without empty ones and without repetitions. */
export const listed = (text: string | undefined): string[] => [
  ...new Set(
    (text ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
];
