import type { AccountStanding } from '../../vault/credentials.js';
import type { Scope } from '../../domain/accounts/scopes.js';
import { recentlyUsed } from '../../values/recently-used.js';

/** A credential that the vault has verified, and its account's state at that time. */
export interface Verified {
  readonly accountId: number;
  readonly scopes: readonly Scope[] | 'unlimited';
  readonly byPassword: boolean;
  /** The id of the token, if the credential is one. */
  readonly tokenId?: number;
  /** The name or address that was given with the password. */
  readonly login?: string;
  readonly state: AccountStanding;
}

const MAX_REMEMBERED = 10_000;

/**
 * Caches verified credentials, so that a password is hashed once rather than with each request. The keys are hashes with
 * a secret, so that the cache holds no credential. When the vault reports a change of an account, the account's entries
 * are dropped, and its verifications in progress are not cached.
 */
export class RememberedCredentials {
  readonly #entries = recentlyUsed<string, Verified>(MAX_REMEMBERED);
  readonly #underWay = new Map<string, Promise<Verified | undefined>>();
  readonly #changed = new Set<Set<number | 'all'>>();

  /** Returns a verified credential; undefined if it must be verified. */
  get(key: string): Verified | undefined {
    return this.#entries.get(key);
  }

  /** Runs `verify`, once for concurrent callers with the same key. */
  verifyOnce(key: string, verify: () => Promise<Verified | undefined>): Promise<Verified | undefined> {
    let result = this.#underWay.get(key);
    if (!result) {
      const started = this.#verify(key, verify).finally(() => {
        if (this.#underWay.get(key) === started) this.#underWay.delete(key);
      });
      this.#underWay.set(key, (result = started));
    }
    return result;
  }

  /** Drops a credential, so that it is verified again. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** Drops what is cached of an account, or of all. To be called by `vault.onChange`. */
  accountChanged(accountId: number | 'all'): void {
    for (const changes of this.#changed) changes.add(accountId);
    this.#underWay.clear(); // requests from now on must not join a verification that began earlier
    if (accountId === 'all') this.#entries.clear();
    else
      for (const [key, entry] of this.#entries.entries())
        if (entry.accountId === accountId) this.#entries.delete(key);
  }

  async #verify(key: string, verify: () => Promise<Verified | undefined>): Promise<Verified | undefined> {
    const changes = new Set<number | 'all'>();
    this.#changed.add(changes);
    try {
      const verified = await verify();
      if (verified && !changes.has('all') && !changes.has(verified.accountId))
        this.#entries.set(key, verified);
      return verified;
    } finally {
      this.#changed.delete(changes);
    }
  }
}
