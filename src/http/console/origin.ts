import type { Context } from '../context.js';

/**
 * Whether a page of this server sent a request, as browsers tell it: by `Sec-Fetch-Site`, or by `Origin` where that is
 * missing, as it is over plain HTTP. A browser leaves out both with a plain read, so that `unknown` says nothing.
 */
export function originOf(ctx: Context, baseUrl: string): 'here' | 'elsewhere' | 'unknown' {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin' ? 'here' : 'elsewhere';
  const origin = ctx.get('Origin');
  if (origin === '') return 'unknown';
  return isOwn(origin, ctx.get('Host'), new URL(baseUrl)) ? 'here' : 'elsewhere';
}

/** The origin that is configured, or the one that the browser asked; over plain HTTP only where HTTPS is not configured. */
function isOwn(origin: string, host: string, base: URL): boolean {
  if (origin === base.origin) return true;
  return origin === `https://${host}` || (base.protocol === 'http:' && origin === `http://${host}`);
}
