import type { Context } from '../context.js';

/**
 * Tells whether a page of this server sent a request, by `Sec-Fetch-Site` or, where browsers omit that, as over plain
 * HTTP, by `Origin`. Plain reads have neither, so `unknown` proves nothing.
 */
export function originOf(ctx: Context, baseUrl: string): 'here' | 'elsewhere' | 'unknown' {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin' ? 'here' : 'elsewhere';
  const origin = ctx.get('Origin');
  if (origin === '') return 'unknown';
  return isOwn(origin, ctx.get('Host'), new URL(baseUrl)) ? 'here' : 'elsewhere';
}

/** Accepts the configured origin and the requested host; the latter over plain HTTP only if no HTTPS is configured. */
function isOwn(origin: string, host: string, base: URL): boolean {
  if (origin === base.origin) return true;
  return origin === `https://${host}` || (base.protocol === 'http:' && origin === `http://${host}`);
}
