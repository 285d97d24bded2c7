import { hash, randomBytes } from 'node:crypto';
import { settleEdits } from '../../commands/accounts/settle-edits.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';
import type { Principal } from '../caller.js';
import { CHALLENGE, Refused } from '../refused.js';
import type { Services } from '../services.js';
import type { AccountFacts } from '../accounts/account-facts.js';
import { clientAddress, type Requested } from './client-address.js';
import { looksLikeToken, type Credential } from './credentials.js';
import type { Attempt, LoginGate } from './login-limits.js';
import type { RememberedCredentials, Verified } from './remembered.js';
import type { Scope } from '../../domain/accounts/scopes.js';

/** The account that signed in, and whether it may do anything: a closed account is told the reason. */
export interface SignIn {
  readonly principal: Principal;
  readonly state: Verified['state'];
}

/**
 * Verifies credentials. The first good one wins. If there is none, throws the error of the first: 401 in the same words
 * whether or not the user exists, or 429.
 */
export class Authenticator {
  constructor(
    private readonly services: Pick<Services, 'vault' | 'commands'> & {
      readonly config: Pick<Services['config'], 'trustedProxies'>;
    },
    private readonly remembered: RememberedCredentials,
    private readonly facts: AccountFacts,
    private readonly gate: LoginGate,
  ) {}

  /** Returns undefined if there are no credentials. Costs no query if the first one was verified before, as most were. */
  async signIn(credentials: readonly Credential[], request: Requested): Promise<SignIn | undefined> {
    const [first] = credentials;
    const known = first && this.#inMemory(first);
    if (known) return known;
    const address = clientAddress(request, this.services.config.trustedProxies);
    let failure: Refused | undefined;
    for (const credential of credentials) {
      try {
        return credential.kind === 'token'
          ? await this.#byToken(credential.token)
          : await this.#byBasic(credential, address);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        failure ??= error;
      }
    }
    if (failure) throw failure;
    return undefined;
  }

  /**
   * Returns the owner of a console session, if still a site administrator; undefined otherwise. `byPassword` is false,
   * because tokens are managed by password, which a session is not.
   */
  async bySession(secret: string): Promise<Principal | undefined> {
    const accountId = await this.services.vault.sessions.find(secret);
    const row = accountId === undefined ? undefined : await this.facts.find(accountId);
    return row?.is_admin ? principalOf(row, 'unlimited', false) : undefined;
  }

  #inMemory(credential: Credential): SignIn | undefined {
    const verified = this.remembered.get(keyOf(credential));
    const row = verified && this.facts.recall(verified.accountId);
    return row && this.#signInAs(row, verified);
  }

  async #byToken(token: string): Promise<SignIn> {
    const signIn = await this.#tryToken(token);
    if (!signIn) throw wrongCredentials();
    return signIn;
  }

  async #byBasic(credential: Credential & { kind: 'basic' }, address: string): Promise<SignIn> {
    const { vault } = this.services;
    const key = keyOf(credential);
    const remembered = await this.#recall(key);
    if (remembered) return remembered;
    const byToken = await this.#tryToken(credential.token);
    if (byToken) return byToken;
    // Concurrent requests with the same password count as one attempt.
    const verified = await this.remembered.verifyOnce(key, () =>
      this.#tryPassword(credential, { guess: key, address }),
    );
    const signIn = verified && (await this.#signIn(verified));
    if (!verified || !signIn) throw wrongCredentials();
    await vault.credentials.recordSignIn(verified.accountId);
    return signIn;
  }

  async #tryToken(token: string): Promise<SignIn | undefined> {
    if (!looksLikeToken(token)) return undefined;
    const key = keyOf({ kind: 'token', token });
    const remembered = await this.#recall(key);
    if (remembered) return remembered;
    const verified = await this.remembered.verifyOnce(key, () => this.#verifyToken(token));
    return verified && this.#signIn(verified);
  }

  async #recall(key: string): Promise<SignIn | undefined> {
    const verified = this.remembered.get(key);
    const signIn = verified && (await this.#signIn(verified));
    if (verified && !signIn) this.remembered.forget(key);
    return signIn;
  }

  /** Verifies a password, in the same time whether or not the name exists. */
  async #tryPassword(
    { name, password }: Credential & { kind: 'basic' },
    attempt: Pick<Attempt, 'guess' | 'address'>,
  ): Promise<Verified | undefined> {
    const { vault } = this.services;
    const found = name.includes('\0') ? undefined : await this.facts.findByLogin(name);
    const account = found ? `account ${found.id}` : vault.digest('login', name.toLowerCase());
    const succeeded = await this.gate.enter({ ...attempt, account });
    if (found) await settleEdits(this.services, found.id);
    const isRight = await vault.credentials.verify(found?.id, password);
    const state = found && isRight ? await vault.credentials.state(found.id) : undefined;
    if (!found || !state) return undefined;
    await succeeded();
    return { accountId: found.id, scopes: 'unlimited', byPassword: true, login: name, state };
  }

  async #verifyToken(secret: string): Promise<Verified | undefined> {
    const { vault } = this.services;
    const token = await vault.tokens.find(secret);
    if (token) await settleEdits(this.services, token.accountId);
    const state = token && (await vault.credentials.state(token.accountId));
    return token && state && { ...token, scopes: token.scopes as readonly Scope[], byPassword: false, state };
  }

  /** Returns undefined if the account no longer exists, or for the reason that `#signInAs` has. */
  async #signIn(verified: Verified): Promise<SignIn | undefined> {
    const row = await this.facts.find(verified.accountId);
    return row && this.#signInAs(row, verified);
  }

  /** Returns undefined if the account no longer has the name or address that was given with the password. */
  #signInAs(row: AccountRow, { scopes, byPassword, tokenId, login, state }: Verified): SignIn | undefined {
    if (login !== undefined && !bears(row, login.toLowerCase())) return undefined;
    if (tokenId !== undefined) this.services.vault.tokens.touch(tokenId);
    return { principal: principalOf(row, scopes, byPassword), state };
  }
}

/** Hashes a credential with a secret of this process, so that the cache reveals nothing. Costs a fifth of an HMAC. */
function keyOf(credential: Credential): string {
  const shown = credential.kind === 'token' ? credential.token : `${credential.name}:${credential.password}`;
  return hash('sha256', `${KEY}${credential.kind}:${shown}`, 'base64');
}

const KEY = randomBytes(32).toString('base64');

const bears = (row: AccountRow, login: string) =>
  login === row.lower_name || row.lower_emails.includes(login);

/** Makes the caller of an account's row and the rights of its credential; `byPassword` is false for a token. */
export const principalOf = (
  row: AccountRow,
  scopes: Principal['scopes'],
  byPassword: boolean,
): Principal => ({
  accountId: row.id,
  name: row.name ?? '',
  isAdmin: row.is_admin,
  restricted: row.restricted,
  scopes,
  byPassword,
});

const wrongCredentials = () => new Refused(401, 'the user name, password or token is wrong', CHALLENGE);
