import type { Context } from './context.js';
import { AccountMoved } from './find.js';
import { RepositoryMoved } from './repositories/moved.js';
import type { Route } from './route.js';
import { PREFIX } from './router.js';

/** What a request named has another name by now. */
export type Moved = AccountMoved | RepositoryMoved;

export const isMoved = (error: unknown): error is Moved =>
  error instanceof AccountMoved || error instanceof RepositoryMoved;

/** The parameters of paths that name accounts. */
const ACCOUNT_PARAMETERS: ReadonlySet<string> = new Set(['{username}', '{org}', '{owner}']);

/** The same path with the new names, query kept. */
export function movedTo(
  ctx: Pick<Context, 'path' | 'search'>,
  route: Pick<Route, 'path'>,
  moved: Moved,
  baseUrl: string,
): string {
  const pattern = route.path.split('/');
  const parts = ctx.path.slice(PREFIX.length).split('/');
  const path = parts.map((part, index) => {
    const name = nameNow(moved, pattern[index] ?? '', part);
    return name === undefined ? part : encodeURIComponent(name);
  });
  const { pathname } = new URL(baseUrl);
  return pathname.replace(/\/$/, '') + PREFIX + path.join('/') + ctx.search;
}

/** What takes the place of a part of the path; undefined where it stays. */
function nameNow(moved: Moved, parameter: string, part: string): string | undefined {
  if (moved instanceof RepositoryMoved) {
    if (parameter === '{owner}') return moved.owner;
    return parameter === '{repo}' ? moved.repo : undefined;
  }
  const isIt = ACCOUNT_PARAMETERS.has(parameter) && decodeURIComponent(part) === moved.from;
  return isIt ? moved.to : undefined;
}
