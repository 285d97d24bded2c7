import { LRUCache } from 'lru-cache';
import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import { findEach, together } from '../database/together.js';
import type { Changes } from './changes.js';
import { hashPassword, isOutdated, verifyPassword } from './passwords.js';

export interface AccountFlags {
  readonly active: boolean;
  /** Sign-in is prohibited. */
  readonly prohibited: boolean;
  readonly mustChangePassword: boolean;
}

export interface AccountStanding extends AccountFlags {
  readonly lastSignIn?: Date;
}

type StandingRow = {
  account_id: number;
  active: boolean;
  prohibited: boolean;
  must_change_password: boolean;
  last_sign_in: Date | null;
};

const findStanding = together(async (database, accountIds: readonly number[]) => {
  const rows = await database.rows<StandingRow>(sql`
    select account_id, active, prohibited, must_change_password, last_sign_in
    from vault.credentials where account_id = any(${accountIds}::int8[])`);
  return new Map(
    rows.map((row): [number, AccountStanding] => [
      row.account_id,
      {
        active: row.active,
        prohibited: row.prohibited,
        mustChangePassword: row.must_change_password,
        ...(row.last_sign_in && { lastSignIn: row.last_sign_in }),
      },
    ]),
  );
});

const SIGN_IN_PRECISION_MS = 60_000;

/** Passwords, as argon2id hashes, and whether an account may sign in at all. */
export class Credentials {
  readonly #signedIn = new LRUCache<number, true>({ max: 10_000, ttl: SIGN_IN_PRECISION_MS });

  constructor(
    private readonly database: Queryable,
    private readonly changes: Changes,
  ) {}

  /** Sets password and flags of an account, in place of earlier ones. */
  async set(accountId: number, password: string, flags: AccountFlags): Promise<void> {
    const hash = await hashPassword(password);
    const { active, prohibited, mustChangePassword } = flags;
    await this.database.rows(sql`
      with changed as (
        insert into vault.credentials (account_id, password_hash, active, prohibited, must_change_password)
        values (${accountId}, ${hash}, ${active}, ${prohibited}, ${mustChangePassword})
        on conflict (account_id) do update set
          password_hash = excluded.password_hash, active = excluded.active,
          prohibited = excluded.prohibited, must_change_password = excluded.must_change_password
        returning account_id)
      select pg_notify('vault', account_id::text) from changed`);
    this.changes.tell(accountId);
  }

  /**
   * Changes what is given; nothing where the account has no credentials. Another password, and whatever keeps the account
   * out, ends its sessions.
   */
  async change(accountId: number, changes: Partial<AccountFlags> & { password?: string }): Promise<void> {
    const { password, active = null, prohibited = null, mustChangePassword = null } = changes;
    const hash = password === undefined ? null : await hashPassword(password);
    const shutsOut = hash !== null || active === false || prohibited === true || mustChangePassword === true;
    await this.database.rows(sql`
      with ended as (delete from vault.sessions where account_id = ${accountId} and ${shutsOut}),
      changed as (
        update vault.credentials set
          password_hash = coalesce(${hash}, password_hash),
          active = coalesce(${active}, active),
          prohibited = coalesce(${prohibited}, prohibited),
          must_change_password = coalesce(${mustChangePassword}, must_change_password)
        where account_id = ${accountId} returning account_id)
      select pg_notify('vault', account_id::text) from changed`);
    this.changes.tell(accountId);
  }

  /** Whether this is the account's password. Takes as long for an account that does not exist. */
  async verify(accountId: number | undefined, password: string): Promise<boolean> {
    const hash = accountId === undefined ? undefined : await this.#hashOf(accountId);
    const matches = await verifyPassword(hash, password);
    if (matches && accountId !== undefined && hash !== undefined && isOutdated(hash)) {
      // Only in place of what was verified: the password may have changed meanwhile.
      const renewed = await hashPassword(password);
      await this.database.rows(sql`
        update vault.credentials set password_hash = ${renewed}
        where account_id = ${accountId} and password_hash = ${hash}`);
    }
    return matches;
  }

  /** Undefined where the account has no credentials. */
  state(accountId: number): Promise<AccountStanding | undefined> {
    return findStanding(this.database, accountId);
  }

  /** The states of those of the accounts that have credentials. */
  states(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountStanding>> {
    return findEach(findStanding, this.database, accountIds);
  }

  /** Notes that the account signed in now, to the minute. */
  async recordSignIn(accountId: number): Promise<void> {
    if (this.#signedIn.has(accountId)) return;
    this.#signedIn.set(accountId, true);
    await this.database.rows(sql`
      update vault.credentials set last_sign_in = now()
      where account_id = ${accountId}
        and (last_sign_in is null or last_sign_in < now() - interval '1 minute')`);
  }

  /** Takes an account's credentials away. */
  async remove(accountId: number): Promise<void> {
    await this.database.rows(sql`
      with removed as (delete from vault.credentials where account_id = ${accountId} returning account_id)
      select pg_notify('vault', account_id::text) from removed`);
    this.changes.tell(accountId);
  }

  async #hashOf(accountId: number): Promise<string | undefined> {
    const [row] = await this.database.rows<{ password_hash: string }>(sql`
      select password_hash from vault.credentials where account_id = ${accountId}`);
    return row?.password_hash;
  }
}
