import { createHmac } from 'node:crypto';
import type { Database } from '../database/database.js';
import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import { Answers } from './answers.js';
import { BrowserSessions } from './browser-sessions.js';
import { Changes, type ChangeListener } from './changes.js';
import { Credentials } from './credentials.js';
import { HookSecrets } from './hook-secrets.js';
import { KeyLocks } from './key-locks.js';
import { derivedKey } from './keys.js';
import { LastUses } from './last-uses.js';
import { Mirrors } from './mirrors.js';
import { People } from './people.js';
import { Session } from './session.js';
import { Tokens } from './tokens.js';
import { UnprovenSecrets } from './unproven-secrets.js';

/** The vault's database and key. `start` rejects if it is not the key that the vault was created with. */
export interface VaultOptions {
  /** The database, migrated with `migrations/vault`. One of its connections is held from `start` to `close`. */
  readonly database: Database;
  /** VAULT_KEY: 32 bytes. */
  readonly key: Buffer;
  /** Called with errors in the background. */
  readonly onError?: (error: unknown) => void;
}

/** Stores what must not be in the event log: secrets, and the keys that decrypt personal fields. */
export class Vault {
  readonly people: People;
  readonly credentials: Credentials;
  readonly tokens: Tokens;
  readonly sessions: BrowserSessions;
  readonly answers: Answers;
  readonly mirrors: Mirrors;
  readonly hookSecrets: HookSecrets;
  readonly unproven: UnprovenSecrets;
  readonly #changes = new Changes();
  readonly #lastUses: LastUses;
  readonly #session: Session;
  readonly #locks: KeyLocks;
  readonly #digestKey: Buffer;

  constructor({ database, key, onError = () => undefined }: VaultOptions) {
    this.#lastUses = new LastUses(database, onError);
    this.#digestKey = derivedKey(key, 'digests');
    this.people = new People(database, derivedKey(key, 'person keys'), this.#changes);
    this.credentials = new Credentials(database, this.#changes);
    this.tokens = new Tokens(database, derivedKey(key, 'tokens'), this.#changes, this.#lastUses);
    this.sessions = new BrowserSessions(database, derivedKey(key, 'sessions'));
    this.answers = new Answers(database, derivedKey(key, 'answers'));
    this.mirrors = new Mirrors(database, derivedKey(key, 'mirrors'));
    this.hookSecrets = new HookSecrets(database, derivedKey(key, 'hook secrets'));
    this.unproven = new UnprovenSecrets(database);
    this.#session = new Session({
      database,
      onNotification: (payload) => this.#changes.tell(Number(payload)),
      onBroken: () => this.#changes.tell('all'),
      onError,
    });
    this.#locks = new KeyLocks(this.#session);
  }

  /**
   * Starts to listen for changes made by other processes. Rejects if the database cannot be reached, and with
   * `OtherVaultKey` if the vault was created with another key.
   */
  async start(): Promise<void> {
    await this.people.refuseOtherKey();
    await this.#session.start();
  }

  /** Rejects while the connection for notifications and locks is broken; requests with keys cannot be answered then. */
  async ping(): Promise<void> {
    await this.#session.rows(sql`select 1`);
  }

  async close(): Promise<void> {
    await this.#session.close();
    await this.#lastUses.flush();
  }

  /**
   * Calls `listener` when password, flags, tokens or key of an account have changed: at once for changes of this process,
   * within milliseconds for those of others; with `all` if some may have been missed. Data read before such a call must
   * not stay cached after it. Returns the function that removes the listener.
   */
  onChange(listener: ChangeListener): () => void {
    return this.#changes.listen(listener);
  }

  /** Returns a digest that identifies a secret or personal value without revealing it: HMAC-SHA256 in hex, 64 digits. */
  digest(kind: string, value: string): string {
    return createHmac('sha256', this.#digestKey).update(`${kind}\0${value}`).digest('hex');
  }

  /**
   * Runs `work` under a lock for the key, across all processes. `holder` is the connection that holds the lock: its
   * statements reject with `DatabaseUnavailable` if the lock was lost meanwhile. Requires `start`.
   */
  async withKeyLock<T>(keyHash: string, work: (holder: Queryable) => Promise<T>): Promise<T> {
    return this.#locks.run(keyHash, work);
  }

  /**
   * Runs `work` unless another process holds the lock for the key; then resolves with undefined. Two calls of one process
   * do not exclude each other. Requires `start`.
   */
  async tryWithKeyLock<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    return this.#locks.tryRun(key, work);
  }
}
