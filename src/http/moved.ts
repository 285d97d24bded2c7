import { below } from './below.js';
import type { Context } from './context.js';
import { AccountMoved } from './find.js';
import { RepositoryMoved } from './repositories/moved.js';
import type { Route } from './route.js';
import { PREFIX } from './router.js';

/** What a request named has another name by now. */
export type Moved = AccountMoved | RepositoryMoved;

/** Whether a name was found to be one that its account or repository had before. */
export const isMoved = (error: unknown): error is Moved =>
  error instanceof AccountMoved || error instanceof RepositoryMoved;

/** The parameters of paths that name accounts. */
const ACCOUNT_PARAMETERS: ReadonlySet<string> = new Set(['username', 'org', 'owner', 'collaborator']);

type Params = Readonly<Record<string, string>>;

/** The same path with the new names, query kept. */
export function movedTo(
  ctx: Pick<Context, 'path' | 'search'>,
  route: Pick<Route, 'path'>,
  params: Params,
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

/** What the path names, with the new names. */
export function namedNow(params: Params, moved: Moved): Params {
  if (moved instanceof RepositoryMoved) return { ...params, owner: moved.owner, repo: moved.repo };
  const renamed = Object.keys(params).filter(
    (parameter) => ACCOUNT_PARAMETERS.has(parameter) && params[parameter] === moved.from,
  );
  return { ...params, ...Object.fromEntries(renamed.map((parameter) => [parameter, moved.to])) };
}
