import { randomBytes } from 'node:crypto';
import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import { recentlyUsed } from '../values/recently-used.js';
import { unpooled } from '../values/unpooled.js';
import type { Changes } from './changes.js';
import { open, seal } from './sealing.js';

/** A stored key cannot be decrypted. */
export class DamagedKey extends Error {
  override readonly name = 'DamagedKey';
}

/**
 * The vault was encrypted with another key. Using this one would mix data of two keys that cannot be told apart later, and
 * names could be taken twice.
 */
export class OtherVaultKey extends Error {
  override readonly name = 'OtherVaultKey';
  constructor() {
    super(
      'VAULT_KEY (or DATA_DIR/vault.key, if that is not set) is not the key that the vault was sealed with: put that one back. A back-up holds it as keys/vault.key',
    );
  }
}

type KeyRow = { account_id: number; sealed: Buffer };

const REMEMBERED_KEYS = 20_000;
/** How many keys are tried to recognise another vault key; a single one might just be damaged. */
const SAMPLES = 5;

/** Stores a key for each person, which encrypts the personal fields of events. Destroying the key erases them. */
export class People {
  readonly #known = recentlyUsed<number, Buffer>(REMEMBERED_KEYS);

  #generation = 0;

  constructor(
    private readonly database: Queryable,
    private readonly wrappingKey: Buffer,
    private readonly changes: Changes,
  ) {
    changes.listen((accountId) => {
      this.#generation++;
      if (accountId === 'all') this.#known.clear();
      else this.#known.delete(accountId);
    });
  }

  /** Returns the key of a person, which is created on first use; undefined for ever once it has been shredded. */
  async ensure(id: number): Promise<Buffer | undefined> {
    const known = (await this.keysFor([id])).get(id);
    if (known) return known;
    const sealed = seal(this.wrappingKey, randomBytes(32), purposeOf(id));
    await this.database.rows(sql`
      insert into vault.person_keys (account_id, sealed) values (${id}, ${sealed})
      on conflict (account_id) do nothing`);
    return (await this.keysFor([id])).get(id); // another process may have been first, or the key is shredded
  }

  /**
   * Returns the existing keys of these persons; shredded ones are missing. Reads all that are not cached with one query.
   * Rejects with `DamagedKey` if one cannot be decrypted.
   */
  async keysFor(ids: readonly number[]): Promise<ReadonlyMap<number, Buffer>> {
    const keys = new Map<number, Buffer>();
    const unknown: number[] = [];
    for (const id of ids) {
      const key = this.#known.get(id);
      if (key) keys.set(id, key);
      else unknown.push(id);
    }
    if (unknown.length === 0) return keys;
    const generation = this.#generation;
    const rows = await this.database.rows<KeyRow>(sql`
      select account_id, sealed from vault.person_keys
      where account_id = any(${unknown}::bigint[]) and sealed is not null`);
    for (const { account_id: id, sealed } of rows) {
      const key = this.#open(id, sealed);
      if (generation === this.#generation) this.#known.set(id, key); // else it may have been shredded meanwhile
      keys.set(id, key);
    }
    return keys;
  }

  #open(id: number, sealed: Buffer): Buffer {
    try {
      return unpooled(open(this.wrappingKey, sealed, purposeOf(id)));
    } catch (cause) {
      throw new DamagedKey(`the key of account ${id} is damaged`, { cause });
    }
  }

  /** Rejects with `OtherVaultKey` if the vault has keys, and the wrapping key decrypts none of a sample of them. */
  async refuseOtherKey(): Promise<void> {
    const rows = await this.database.rows<KeyRow>(sql`
      select account_id, sealed from vault.person_keys
      where sealed is not null order by account_id limit ${SAMPLES}`);
    if (rows.length > 0 && !rows.some(({ account_id: id, sealed }) => this.#opens(id, sealed)))
      throw new OtherVaultKey();
  }

  #opens(id: number, sealed: Buffer): boolean {
    try {
      this.#open(id, sealed);
      return true;
    } catch (error) {
      if (error instanceof DamagedKey) return false;
      throw error;
    }
  }

  /** Destroys a person's key for ever. What it encrypted reads as erased, here at once, in other processes in a moment. */
  async shred(id: number): Promise<void> {
    await this.database.rows(sql`
      with shredded as (
        insert into vault.person_keys (account_id, sealed, shredded_at) values (${id}, null, now())
        on conflict (account_id) do update set sealed = null, shredded_at = now()
        where person_keys.shredded_at is null
        returning account_id)
      select pg_notify('vault', account_id::text) from shredded`);
    this.changes.tell(id);
  }
}

const purposeOf = (id: number) => `person ${id}`;
