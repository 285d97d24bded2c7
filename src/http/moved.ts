import { below } from './server/below.js';
import type { Caller } from './caller.js';
import type { Context, PathParameters } from './context.js';
import { AccountMoved } from './find.js';
import { refuseNarrowToken } from './public-only.js';
import { RepositoryMoved } from './repositories/moved.js';
import type { Route } from './route.js';
import { PREFIX } from './router.js';

/** What a request named has been renamed or transferred. */
export type Moved = AccountMoved | RepositoryMoved;

/** Tells whether an error means that a name is the former one of an account or repository. */
export const isMoved = (error: unknown): error is Moved =>
  error instanceof AccountMoved || error instanceof RepositoryMoved;

/**
 * Throws 403 if a redirect would tell the new name of an account that is not public to a token that is limited to what is.
 * Who is led to a repository was asked when it was found.
 */
export function refuseToTell(moved: Moved, caller: Caller): void {
  if (moved instanceof AccountMoved) refuseNarrowToken(moved, caller);
}

/** The path parameters that name accounts. */
const ACCOUNT_PARAMETERS: ReadonlySet<string> = new Set(['username', 'org', 'owner', 'collaborator']);

/** Returns the request's address with the new names; the query stays. */
export function movedTo(
  ctx: Pick<Context, 'path' | 'search'>,
  route: Pick<Route, 'path'>,
  params: PathParameters,
  moved: Moved,
  baseUrl: string,
): string {
  const now = namedNow(params, moved);
  const pattern = route.path.split('/');
  const parts = ctx.path.slice(PREFIX.length).split('/');
  const path = parts.map((part, index) => {
    const parameter = /^\{(\w+)\}$/.exec(pattern[index] ?? '')?.[1] ?? '';
    const name = now[parameter];
    return name === undefined || name === params[parameter] ? part : encodeURIComponent(name);
  });
  return below({ baseUrl }) + PREFIX + path.join('/') + ctx.search;
}

/** Returns the path's parameters with the new names. */
export function namedNow(params: PathParameters, moved: Moved): PathParameters {
  if (moved instanceof RepositoryMoved) {
    const { owner, repo } = moved;
    return { ...params, ...('owner' in params ? { owner } : { org: owner }), repo };
  }
  const renamed = Object.keys(params).filter(
    (parameter) => ACCOUNT_PARAMETERS.has(parameter) && params[parameter] === moved.from,
  );
  return { ...params, ...Object.fromEntries(renamed.map((parameter) => [parameter, moved.to])) };
}
