import type { Vault } from '../../vault/vault.js';
import type { Authenticator } from '../authentication/authenticate.js';
import type { Principal } from '../caller.js';
import type { Context } from '../context.js';
import { Refused } from '../refused.js';
import { sessionSecretOf } from './cookie.js';
import { originOf } from './origin.js';

/** The header that holds the proof of the session whose cookie is sent along. */
const PROOF_HEADER = 'X-Tallyforge-Proof';

/** What sessions are created and checked with; `baseUrl` decides whether cookies require HTTPS. */
export interface SessionOptions {
  readonly authenticator: Authenticator;
  readonly vault: Pick<Vault, 'sessions'>;
  readonly config: { readonly baseUrl: string };
}

/** A signed-in browser. */
export interface BrowserSession {
  readonly secret: string;
  readonly principal: Principal;
}

/** Returns the session of a request's cookie; undefined if it has ended. Any site can cause a request with the cookie. */
export async function sessionOf(
  ctx: Context,
  { authenticator, config }: SessionOptions,
): Promise<BrowserSession | undefined> {
  const secret = sessionSecretOf(ctx, config.baseUrl);
  const principal = secret === undefined ? undefined : await authenticator.bySession(secret);
  return secret !== undefined && principal ? { secret, principal } : undefined;
}

/**
 * Identifies the caller of the API from a page of the console. The cookie is not enough, because any site can make a
 * browser send it: the request must also have the session's proof, which only pages of this server know. Throws 401
 * without a challenge if the session has ended, so that the browser does not ask for a password itself.
 */
export async function callerBySession(ctx: Context, options: SessionOptions): Promise<Principal | undefined> {
  const proof = ctx.get(PROOF_HEADER);
  if (proof === '') return undefined;
  if (originOf(ctx, options.config.baseUrl) === 'elsewhere')
    throw new Refused(403, 'a session counts only for pages of this server');
  const session = await sessionOf(ctx, options);
  if (!session || !options.vault.sessions.proves(session.secret, proof))
    throw new Refused(401, 'the session has ended');
  return session.principal;
}
