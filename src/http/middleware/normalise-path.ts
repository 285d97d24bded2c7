import { notFound } from '../../domain/errors.js';
import type { Middleware } from '../context.js';
import { Refused } from '../refused.js';
import { PREFIX } from '../router.js';

/**
 * Merges repeated slashes, and removes those at the end. Segments stay encoded, so that `%2F` remains inside one name.
 * Throws 400 if the percent-encoding is not UTF-8, and 404 if it contains a NUL, because no name does. Routes of the API
 * see to that themselves, after they have checked who calls.
 */
export const normalisePath: Middleware = function normalisePath(ctx, next) {
  const { path } = ctx;
  if (path.includes('%')) refuseBadEncoding(path);
  if (path.includes('//') || (path.length > 1 && path.endsWith('/')))
    ctx.path = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  if (hasNul(ctx.path) && !ctx.path.startsWith(`${PREFIX}/`)) throw namesNothing();
  return next();
};

function refuseBadEncoding(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw new Refused(400, 'the path is not well encoded');
  }
}

/** Tells whether a path contains a NUL, encoded as it must be. */
export const hasNul = (path: string): boolean => path.includes('%00');

/** Makes the 404 for a path that cannot name anything. */
export const namesNothing = () => notFound('request.path', 'no such thing');
