import type { Database } from '../database/database.js';
import { sql } from '../database/sql.js';
import { findEach, together } from '../database/together.js';
import { recentlyUsed } from '../values/recently-used.js';
import type { Changes } from './changes.js';
import { hashPassword, isOutdated, verifyPassword } from './passwords.js';
import { OVERDUE } from './unproven-secrets.js';

/** Whether an account may sign in: only if it is `active`, and neither of the other flags is set. */
export interface AccountFlags {
  readonly active: boolean;
  /** Sign-in is prohibited. */
  readonly prohibited: boolean;
  readonly mustChangePassword: boolean;
}

/** The current flags of an account, and the time of its last sign-in, to the minute; absent if it never signed in. */
export interface AccountStanding extends AccountFlags {
  readonly lastSignIn?: Date;
}

/** The changes that an edit of an account makes to its credentials. */
export interface CredentialsEdit extends Partial<AccountFlags> {
  /** A UUID. */
  readonly id: string;
  readonly password?: string | undefined;
}

/** The flags of an account according to the log. */
export interface RecordedAccount extends AccountFlags {
  /** The ids of the latest announced edits, oldest first. */
  readonly edits: readonly string[];
}

type StandingRow = {
  account_id: number;
  active: boolean;
  prohibited: boolean;
  must_change_password: boolean;
  last_sign_in: Date | null;
};

const findStanding = together(async (database: Pick<Database, 'rows'>, accountIds: readonly number[]) => {
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

/** Stores passwords, as argon2id hashes, and whether accounts may sign in at all. */
export class Credentials {
  readonly #signedIn = recentlyUsed<number, true>(10_000, { ttl: SIGN_IN_PRECISION_MS });

  constructor(
    private readonly database: Pick<Database, 'rows' | 'transaction'>,
    private readonly changes: Changes,
  ) {}

  /** Sets password and flags of an account, replacing earlier ones. */
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
   * Announces an edit; to be called before its event is written. Flags that close the account take effect now, and end its
   * sessions; the password does once the event exists and the edit is settled. Does nothing if there are no credentials.
   */
  async announce(accountId: number, { id, password, ...flags }: CredentialsEdit): Promise<void> {
    const { active = true, prohibited = false, mustChangePassword = false } = flags;
    const hash = password === undefined ? null : await hashPassword(password);
    await this.database.rows(sql`
      with closed as (
        update vault.credentials set
          active = active and ${active},
          prohibited = prohibited or ${prohibited},
          must_change_password = must_change_password or ${mustChangePassword}
        where account_id = ${accountId} returning account_id),
      ended as (
        delete from vault.sessions
        where account_id = ${accountId} and (not ${active} or ${prohibited} or ${mustChangePassword})),
      announced as (
        insert into vault.account_edits
          (edit_id, account_id, password_hash, active, prohibited, must_change_password)
        select ${id}::uuid, account_id, ${hash}, ${active}, ${prohibited}, ${mustChangePassword} from closed)
      select pg_notify('vault', account_id::text) from closed`);
    this.changes.tell(accountId);
  }

  /** Tells whether an edit was announced that may not be settled yet. */
  async isAnnounced(accountId: number): Promise<boolean> {
    const rows = await this.database.rows(sql`
      select from vault.account_edits where account_id = ${accountId} limit 1`);
    return rows.length > 0;
  }

  /**
   * Sets flags and password to those of the log; the account stays closed if another announced edit closes it. The edits
   * stay announced until a caller that finds nothing newer in the log calls `forget`. A new password and closing end the
   * account's sessions. `over` is an edit that is decided too: its event was written, or never will be.
   */
  async settle(accountId: number, { edits, ...flags }: RecordedAccount, over?: string): Promise<void> {
    const { active, prohibited, mustChangePassword } = flags;
    const done = idsOf(edits, over);
    await this.database.transaction(async (connection) => {
      // The lock serialises the settling of an account's edits, so that only one call finds a password.
      await connection.rows(sql`select from vault.credentials where account_id = ${accountId} for update`);
      const passwords = await connection.rows<{ edit_id: string; password_hash: string }>(sql`
        select edit_id, password_hash from vault.account_edits
        where account_id = ${accountId} and edit_id = any(${edits}::uuid[]) and password_hash is not null`);
      // Settling an edit removes the passwords of earlier ones, so the last one left is newer than the current password.
      const last = edits.findLast((id) => passwords.some(({ edit_id: found }) => found === id));
      const hash = passwords.find(({ edit_id: found }) => found === last)?.password_hash ?? null;
      await connection.rows(sql`
        with settled as (
          update vault.account_edits set password_hash = null
          where account_id = ${accountId} and edit_id = any(${edits}::uuid[])),
        open as (
          select coalesce(bool_and(active), true) as active, coalesce(bool_or(prohibited), false) as prohibited,
            coalesce(bool_or(must_change_password), false) as must_change_password
          from vault.account_edits
          where account_id = ${accountId} and edit_id <> all(${done}::uuid[]) and not ${OVERDUE}),
        changed as (
          update vault.credentials c set
            password_hash = coalesce(${hash}, c.password_hash),
            active = open.active and ${active},
            prohibited = open.prohibited or ${prohibited},
            must_change_password = open.must_change_password or ${mustChangePassword}
          from open where c.account_id = ${accountId}
          returning c.account_id, not c.active or c.prohibited or c.must_change_password as closed),
        ended as (
          delete from vault.sessions s using changed
          where s.account_id = changed.account_id and (changed.closed or ${hash !== null}))
        select pg_notify('vault', account_id::text) from changed`);
    });
    this.changes.tell(accountId);
  }

  /** Deletes settled edits, and those so old that their events can no longer be written. */
  async forget(accountId: number, { edits }: Pick<RecordedAccount, 'edits'>, over?: string): Promise<void> {
    await this.database.rows(sql`
      delete from vault.account_edits
      where account_id = ${accountId} and (edit_id = any(${idsOf(edits, over)}::uuid[]) or ${OVERDUE})`);
  }

  /** Tells whether no account has credentials. */
  async isEmpty(): Promise<boolean> {
    const rows = await this.database.rows(sql`select from vault.credentials limit 1`);
    return rows.length === 0;
  }

  /** Tells whether this is the account's password. Takes as long for an account that does not exist. */
  async verify(accountId: number | undefined, password: string): Promise<boolean> {
    const hash = accountId === undefined ? undefined : await this.#hashOf(accountId);
    const matches = await verifyPassword(hash, password);
    if (matches && accountId !== undefined && hash !== undefined && isOutdated(hash)) {
      // Replaces only the hash that was verified, because the password may have changed meanwhile.
      const renewed = await hashPassword(password);
      await this.database.rows(sql`
        update vault.credentials set password_hash = ${renewed}
        where account_id = ${accountId} and password_hash = ${hash}`);
    }
    return matches;
  }

  /** Returns the state of an account; undefined if it has no credentials. */
  state(accountId: number): Promise<AccountStanding | undefined> {
    return findStanding(this.database, accountId);
  }

  /** Returns the states of those of these accounts that have credentials. */
  states(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountStanding>> {
    return findEach(findStanding, this.database, accountIds);
  }

  /** Records that the account signed in now, to the minute. */
  async recordSignIn(accountId: number): Promise<void> {
    if (this.#signedIn.has(accountId)) return;
    this.#signedIn.set(accountId, true);
    await this.database.rows(sql`
      update vault.credentials set last_sign_in = now()
      where account_id = ${accountId}
        and (last_sign_in is null or last_sign_in < now() - interval '1 minute')`);
  }

  /** Deletes an account's credentials. */
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

const idsOf = (edits: readonly string[], over: string | undefined): readonly string[] =>
  over === undefined ? edits : [...edits, over];
