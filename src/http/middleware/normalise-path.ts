import { notFound } from '../../domain/errors.js';
import type { Middleware } from '../context.js';
import { Refused } from '../refused.js';

/**
 * Repeated slashes count as one and those at the end as none. Parts stay encoded, so `%2F` remains inside one name.
 * What is not UTF-8 in percent-encoding is refused; a NUL is in no name, so nothing is found.
 */
export const normalisePath: Middleware = function normalisePath(ctx, next) {
  const { path } = ctx;
  if (path.includes('%')) refuseBadEncoding(path);
  if (path.includes('//') || (path.length > 1 && path.endsWith('/')))
    ctx.path = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  return next();
};

function refuseBadEncoding(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw new Refused(400, 'the path is not well encoded');
  }
  if (path.includes('%00')) throw notFound('request.path', 'no such thing');
}
