import { SESSION_HOURS } from '../../vault/browser-sessions.js';
import type { Context } from '../context.js';

/** Over HTTPS, the prefix `__Host-` binds the cookie to this host, so that no neighbouring host can set it. */
const nameOf = (baseUrl: string) => (isSecure(baseUrl) ? '__Host-tallyforge' : 'tallyforge');

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');

/** Returns the session's secret from the request's cookie; undefined if there is none. */
export const sessionSecretOf = (ctx: Context, baseUrl: string): string | undefined =>
  ctx.cookies.get(nameOf(baseUrl));

/** Has the browser send the session's secret from now on, only to this site and hidden from scripts. */
export const keepSession = (ctx: Context, baseUrl: string, secret: string): void =>
  setCookie(ctx, baseUrl, secret, SESSION_HOURS * 3600);

/** Has the browser forget its session. */
export const dropSession = (ctx: Context, baseUrl: string): void => setCookie(ctx, baseUrl, '', 0);

/** Sets the header itself, because koa refuses to send a `Secure` cookie if a proxy terminates HTTPS. */
function setCookie(ctx: Context, baseUrl: string, value: string, seconds: number): void {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  ctx.append(
    'Set-Cookie',
    `${nameOf(baseUrl)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
