import { SESSION_HOURS } from '../../vault/browser-sessions.js';
import type { Context } from '../context.js';

/** Over HTTPS the name binds the cookie to this host: no neighbouring one can set it. */
const nameOf = (baseUrl: string) => (isSecure(baseUrl) ? '__Host-tallyforge' : 'tallyforge');

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');

/** The secret of the session that a request shows; undefined where it shows none. */
export const sessionSecretOf = (ctx: Context, baseUrl: string): string | undefined =>
  ctx.cookies.get(nameOf(baseUrl));

/** Has the browser send the secret of a session from now on, to this site alone and never to scripts. */
export const keepSession = (ctx: Context, baseUrl: string, secret: string): void =>
  setCookie(ctx, baseUrl, secret, SESSION_HOURS * 3600);

/** Has the browser forget its session. */
export const dropSession = (ctx: Context, baseUrl: string): void => setCookie(ctx, baseUrl, '', 0);

/** By hand, because koa would not send a `Secure` cookie where a proxy carries the HTTPS. */
function setCookie(ctx: Context, baseUrl: string, value: string, seconds: number): void {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  ctx.append(
    'Set-Cookie',
    `${nameOf(baseUrl)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
