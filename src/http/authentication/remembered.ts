import { LRUCache } from 'lru-cache';
import type { AccountStanding } from '../../vault/credentials.js';
import type { Scope } from '../../domain/accounts/scopes.js';

/** A credential that the vault has verified, and the state of its account at that time. */
export interface Verified {
  readonly accountId: number;
  readonly scopes: readonly Scope[] | 'unlimited';
  readonly byPassword: boolean;
  /** The token, where one was shown. */
  readonly tokenId?: number;
  /** The name or address given with a password. */
  readonly login?: string;
  readonly state: AccountStanding;
}

const MAX_REMEMBERED = 10_000;

/**
 * Credentials verified before, so that a password costs its hash once and not with each request. Keys are hashes under
 * a secret: the memory holds no credential. What belongs to an account is forgotten the moment the vault says that the
 * account changed, and a verification under way at that moment is not remembered.
 */
export class RememberedCredentials {
  readonly #entries = new LRUCache<string, Verified>({ max: MAX_REMEMBERED });
  readonly #underWay = new Map<string, Promise<Verified | undefined>>();
  readonly #changed = new Set<Set<number | 'all'>>();

  get(key: string): Verified | undefined {
    return this.#entries.get(key);
  }

  /** Runs `verify` once for callers with the same key at the same time. */
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

  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** For `vault.onChange`. */
  accountChanged(accountId: number | 'all'): void {
    for (const changes of this.#changed) changes.add(accountId);
    this.#underWay.clear(); // a request from now on must be verified from now on
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
