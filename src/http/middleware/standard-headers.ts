import type { Middleware } from '../context.js';

/** Sets the headers that every answer has. */
export const standardHeaders: Middleware = function standardHeaders(ctx, next) {
  const { res } = ctx;
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Cache-Control', 'max-age=0, private, must-revalidate, no-transform');
  res.setHeader('X-Frame-Options', 'SAMEORIGIN');
  return next();
};
