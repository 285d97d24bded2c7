import type { Vault } from '../../vault/vault.js';
import type { Authenticator } from '../authentication/authenticate.js';
import type { Principal } from '../caller.js';
import type { Context } from '../context.js';
import { Refused } from '../refused.js';
import { sessionSecretOf } from './cookie.js';
import { originOf } from './origin.js';

/** Holds the proof of the session whose cookie comes along. */
export const PROOF_HEADER = 'X-Tallyforge-Proof';

/** What sessions begin with and are judged by; `baseUrl` says whether cookies go over HTTPS alone. */
export interface SessionOptions {
  readonly authenticator: Authenticator;
  readonly vault: Pick<Vault, 'sessions'>;
  readonly config: { readonly baseUrl: string };
}

/** A browser that is signed in. */
export interface BrowserSession {
  readonly secret: string;
  readonly principal: Principal;
}

/** The session that a request's cookie names; undefined where it has ended. It may have been sent from anywhere. */
export async function sessionOf(
  ctx: Context,
  { authenticator, config }: SessionOptions,
): Promise<BrowserSession | undefined> {
  const secret = sessionSecretOf(ctx, config.baseUrl);
  const principal = secret === undefined ? undefined : await authenticator.bySession(secret);
  return secret !== undefined && principal ? { secret, principal } : undefined;
}

/**
 * Who calls the API from a page of the console. A cookie alone counts for nothing, since any site can make a browser send
 * one: the request must show the session's proof, which only a page of this server has been given. 401 without a challenge
 * where the session has ended, so that no browser asks for a password in our place.
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
