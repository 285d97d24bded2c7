import type { Context } from './context.js';

/** Parameters of a query by name, decoded. */
export type QueryParameters = Readonly<Record<string, string>>;

const queries = new WeakMap<Context, QueryParameters>();
const NONE: QueryParameters = Object.freeze(Object.create(null) as QueryParameters);

/** The query's parameters, decoded; of one given twice the first counts. Names such as `__proto__` are mere names. */
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

/** More conditions than anybody writes. */
export const MOST_NAMES = 20;

/** What a list with commas names, blanks cut off and empty names left out; what is beyond the bound is left out. */
export const listed = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .slice(0, MOST_NAMES);
