import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import type { Changes } from './changes.js';
import type { LastUses } from './last-uses.js';

/** The account that a token signs in, and its scopes. The token's secret is not stored. */
export interface AccessToken {
  readonly tokenId: number;
  readonly accountId: number;
  readonly scopes: readonly string[];
}

type TokenRow = { token_id: number; account_id: number; scopes: string[]; salt: Buffer; hash: Buffer };

const secretForm = /^[0-9a-f]{40}$/;

/** Returns the last eight characters of a secret, which lists show, and by which it is looked up. */
export const lastEightOf = (secret: string): string => secret.slice(-8);

/** Stores access tokens as salted hashes. A secret has 160 random bits, so a fast hash is safe. */
export class Tokens {
  constructor(
    private readonly database: Queryable,
    private readonly key: Buffer,
    private readonly changes: Changes,
    private readonly lastUses: LastUses,
  ) {}

  /** Creates a token and returns its secret, 40 hexadecimal digits, which cannot be retrieved again. */
  async create({ tokenId, accountId, scopes }: AccessToken): Promise<string> {
    const secret = randomBytes(20).toString('hex');
    const salt = randomBytes(16);
    await this.database.rows(sql`
      insert into vault.tokens (token_id, account_id, last_eight, salt, hash, scopes)
      values (${tokenId}, ${accountId}, ${lastEightOf(secret)}, ${salt}, ${this.#hash(salt, secret)}, ${scopes})`);
    return secret;
  }

  /**
   * Replaces a token's secret, which never reached its user, by one with the same last eight characters and 128 new random
   * bits. If there is no such token, the returned secret is valid for nothing.
   */
  async renew(tokenId: number, lastEight: string): Promise<string> {
    const secret = `${randomBytes(16).toString('hex')}${lastEight}`;
    const salt = randomBytes(16);
    await this.database.rows(sql`
      update vault.tokens set salt = ${salt}, hash = ${this.#hash(salt, secret)} where token_id = ${tokenId}`);
    return secret;
  }

  /** Finds the token with this secret; undefined if there is none. */
  async find(secret: string): Promise<AccessToken | undefined> {
    if (!secretForm.test(secret)) return undefined;
    const rows = await this.database.rows<TokenRow>(sql`
      select token_id, account_id, scopes, salt, hash from vault.tokens
      where last_eight = ${lastEightOf(secret)}`);
    const row = rows.find(({ salt, hash }) => timingSafeEqual(this.#hash(salt, secret), hash));
    return row && { tokenId: row.token_id, accountId: row.account_id, scopes: row.scopes };
  }

  /** Revokes a token at once; does nothing if there is no such token. */
  async remove(tokenId: number): Promise<void> {
    const [row] = await this.database.rows<{ account_id: number }>(sql`
      with removed as (delete from vault.tokens where token_id = ${tokenId} returning account_id)
      select account_id, pg_notify('vault', account_id::text) from removed`);
    if (row) this.changes.tell(row.account_id);
  }

  /** Revokes every token of an account at once. */
  async removeAll(accountId: number): Promise<void> {
    await this.database.rows(sql`
      with removed as (delete from vault.tokens where account_id = ${accountId} returning account_id)
      select pg_notify('vault', account_id::text) from (select distinct account_id from removed) r`);
    this.changes.tell(accountId);
  }

  /** Records that a token was used just now; written some seconds later. */
  touch(tokenId: number): void {
    this.lastUses.note(tokenId);
  }

  #hash(salt: Buffer, secret: string): Buffer {
    return createHmac('sha256', this.key).update(salt).update(secret).digest();
  }
}
