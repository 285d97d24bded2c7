import type { Middleware } from '../context.js';

/** The headers that every answer has, with their values. */
export const STANDARD_HEADERS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'max-age=0, private, must-revalidate, no-transform'],
  ['X-Frame-Options', 'SAMEORIGIN'],
] as const;

/** Sets the headers that every answer has. */
export const standardHeaders: Middleware = function standardHeaders({ res }, next) {
  for (const [name, value] of STANDARD_HEADERS) res.setHeader(name, value);
  return next();
};
