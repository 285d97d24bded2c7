import type { Middleware } from '../context.js';
import { Refused } from '../refused.js';

/** With `REQUIRE_SIGN_IN` nobody is served without signing in. */
export const requireSignIn: Middleware = function requireSignIn(ctx, next) {
  if (!ctx.state.caller) throw new Refused(403, 'this server serves only who signs in', {}, true);
  return next();
};
