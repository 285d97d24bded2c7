import { bodyKind } from '../body/fields.js';
import type { AccountStanding } from '../../vault/credentials.js';
import { credentialsOf } from '../authentication/credentials.js';
import type { Context, Middleware } from '../context.js';
import { parseForm } from '../body/form.js';
import { callerBySession, type SessionOptions } from '../console/session.js';
import { queryOf, type QueryParameters } from '../query.js';
import { readBody } from '../body/read-body.js';
import { Refused } from '../refused.js';
import type { HttpConfig } from '../services.js';

/** How credentials are verified, and where a request may carry them. */
export interface AuthenticationOptions extends SessionOptions {
  readonly config: Pick<HttpConfig, 'baseUrl' | 'corsOrigins' | 'disableQueryTokens' | 'maxBodyBytes'>;
}

const DEPRECATED =
  '299 - "the parameters token and access_token are deprecated, send the token in the Authorization header"';

/**
 * Identifies the caller on every route: wrong credentials are 401 even where none are needed. Throws 403 for an account
 * that is inactive, prohibited or must change its password.
 */
export function authenticate(options: AuthenticationOptions): Middleware {
  const { authenticator, config } = options;
  return async function authenticate(ctx, next) {
    const { authorization = '' } = ctx.req.headers;
    const credentials = credentialsOf({ authorization, parameters: await parametersOf(ctx, config) });
    if (credentials.some(({ kind }) => kind === 'basic')) refuseForged(ctx, config);
    const signIn = await authenticator.signIn(credentials, ctx.req);
    if (signIn) {
      checkState(signIn.state);
      ctx.state.signedInAs = ctx.state.caller = signIn.principal;
    } else if (authorization === '') {
      ctx.state.signedInAs = ctx.state.caller = await callerBySession(ctx, options);
    }
    await next();
  };
}

/** Returns the tokens in the query or else those in a form; undefined if the configuration disables these. */
async function parametersOf(
  ctx: Context,
  { disableQueryTokens, maxBodyBytes }: AuthenticationOptions['config'],
): Promise<QueryParameters | undefined> {
  const inQuery = tokensInQuery(ctx); // called first, because the warning is sent even if such tokens are disabled
  if (disableQueryTokens) return undefined;
  return inQuery ?? (bodyKind(ctx) === 'form' ? tokensInForm(ctx, maxBodyBytes) : undefined);
}

/** Returns the query if it holds a token, and warns the client that this is deprecated. */
export function tokensInQuery(ctx: Context): QueryParameters | undefined {
  const query = queryOf(ctx);
  if (!('token' in query || 'access_token' in query)) return undefined;
  ctx.set('Warning', DEPRECATED);
  return query;
}

async function tokensInForm(ctx: Context, maxBodyBytes: number): Promise<QueryParameters> {
  const form = parseForm((await readBody(ctx, maxBodyBytes)).toString('utf8'));
  if (form.has('token') || form.has('access_token')) ctx.set('Warning', DEPRECATED);
  return { token: form.get('token') ?? '', access_token: form.get('access_token') ?? '' };
}

/**
 * The content types that a page of another site can have a browser send without a preflight. They include
 * `text/plain;json`, which is read as JSON.
 */
const UNASKED = /^(?:$|text\/plain\b|application\/x-www-form-urlencoded\b|multipart\/form-data\b)/i;

/**
 * Throws 403 if a browser says that a page of another site, which CORS does not allow, made this request: a browser that
 * knows a name and password sends them along with such requests.
 */
function refuseForged(ctx: Context, { corsOrigins }: AuthenticationOptions['config']): void {
  const site = ctx.get('Sec-Fetch-Site');
  if (ctx.method !== 'POST' || (site !== 'cross-site' && site !== 'same-site')) return;
  const isLetIn =
    ctx.get('Sec-Fetch-Mode') === 'cors' &&
    ['*', ctx.get('Origin')].some((each) => corsOrigins.includes(each));
  if (isLetIn || !UNASKED.test(ctx.get('Content-Type').trim())) return;
  throw new Refused(403, 'a browser sent this for a page of another site');
}

/** Throws 403 for an account that may do nothing, although its credentials are right. */
export function checkState({ active, prohibited, mustChangePassword }: AccountStanding): void {
  if (!active) throw closed('the account is not active');
  if (prohibited) throw closed('the account may not sign in');
  if (mustChangePassword) throw closed('the password must be changed first, by a site administrator');
}

const closed = (reason: string) => new Refused(403, reason, {}, true);
