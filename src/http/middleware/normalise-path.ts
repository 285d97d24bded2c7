import { notFound } from '../../domain/errors.js';
import type { Middleware } from '../context.js';
import { Refused } from '../refused.js';

/**
 * Merges repeated slashes, and removes those at the end. Segments stay encoded, so that `%2F` remains inside one name.
 * Throws 400 if the percent-encoding is not UTF-8, and 404 if it contains a NUL, because no name does.
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
