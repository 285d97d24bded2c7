import type { Middleware } from '../context.js';
import { Refused } from '../refused.js';

/** Throws 403 for anonymous callers; used if `REQUIRE_SIGN_IN` is set. */
export const requireSignIn: Middleware = function requireSignIn(ctx, next) {
  if (!ctx.state.caller) throw new Refused(403, 'this server serves only who signs in', {}, true);
  return next();
};
