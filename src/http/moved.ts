import type { Context } from './context.js';
import type { AccountMoved } from './find.js';
import type { Route } from './route.js';
import { PREFIX } from './router.js';

/** The parameters of paths that name accounts. */
const ACCOUNT_PARAMETERS: ReadonlySet<string> = new Set(['{username}', '{org}', '{owner}']);

/** The same path with the account's new name, query kept. */
export function movedTo(
  ctx: Pick<Context, 'path' | 'search'>,
  route: Pick<Route, 'path'>,
  { from, to }: AccountMoved,
  baseUrl: string,
): string {
  const pattern = route.path.split('/');
  const parts = ctx.path.slice(PREFIX.length).split('/');
  const moved = parts.map((part, index) =>
    ACCOUNT_PARAMETERS.has(pattern[index] ?? '') && decodeURIComponent(part) === from
      ? encodeURIComponent(to)
      : part,
  );
  const { pathname } = new URL(baseUrl);
  return pathname.replace(/\/$/, '') + PREFIX + moved.join('/') + ctx.search;
}
