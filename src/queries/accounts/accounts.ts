import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { together } from '../../database/together.js';
import type { Visibility } from '../../domain/accounts/account.js';
import { NOW, type Moment } from '../moment.js';
import { accountNameKey } from '../../domain/accounts/names.js';

/** A user or an organization. Personal columns are null once the person was erased. */
export interface AccountRow {
  readonly id: number;
  readonly kind: 'user' | 'organization';
  readonly name: string | null;
  readonly lower_name: string | null;
  /** The primary address. */
  readonly email: string | null;
  /** All addresses of a user, in lower case, including the primary one; empty for organizations. */
  readonly lower_emails: readonly string[];
  readonly hide_email: boolean;
  readonly full_name: string | null;
  readonly login_name: string | null;
  readonly source_id: number;
  readonly visibility: Visibility;
  readonly restricted: boolean;
  readonly is_admin: boolean;
  readonly language: string;
  readonly location: string;
  readonly pronouns: string;
  readonly website: string;
  readonly description: string;
  readonly created_at: Date;
}

/**
 * The columns of an `AccountRow`, from `accounts a`. The table has more, such as addresses and histories; reading all
 * of them would make lists take a third longer.
 */
export const accountColumns = fragment`a.id, a.kind, a.name, a.lower_name, a.email, a.lower_emails, a.hide_email,
  a.full_name, a.login_name, a.source_id, a.visibility, a.restricted, a.is_admin, a.language, a.location, a.pronouns,
  a.website, a.description, a.created_at`;

/** Finds the user or organization that had the name, in any letter case, at that moment; undefined if there was none. */
export async function findAccountByName(
  db: Queryable,
  name: string,
  at: Moment = NOW,
): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    select * from accounts
    where lower_name = ${accountNameKey(name)} and valid_from <= ${at} and valid_until > ${at}`);
  return row;
}

/** Finds the account that has the name today, as it was at an earlier moment; undefined if it did not exist then. */
export async function findAccountNamedSince(
  db: Queryable,
  name: string,
  at: Moment,
): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    select a.* from accounts today join accounts a on a.id = today.id
    where today.lower_name = ${accountNameKey(name)} and today.valid_until = ${still}
      and a.valid_from <= ${at} and a.valid_until > ${at}`);
  return row;
}

/** Finds the ids of the accounts with these lower-case names, by name. */
export async function findAccountIds(
  db: Queryable,
  lowerNames: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ id: number; lower_name: string }>(sql`
    select id, lower_name from accounts
    where lower_name = any(${lowerNames}::text[]) and valid_until = ${still}`);
  return new Map(rows.map(({ id, lower_name: name }) => [name, id]));
}

/** Finds the id of the account with a lower-case name; undefined if none. Simultaneous calls share a query. */
export const findAccountId = together(findAccountIds);

/** Finds a user or organization by id; undefined if it never existed or was deleted. */
export async function findAccountById(db: Queryable, id: number): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    select * from accounts where id = ${id} and valid_until = ${still}`);
  return row;
}

/** Like `findAccountById`, but finds deleted accounts as well, in their last state. */
export async function findAccountEver(db: Queryable, id: number): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    select * from accounts where id = ${id} order by valid_until desc limit 1`);
  return row;
}

/** Finds those of the accounts that exist, by id. */
async function findAccountsById(
  db: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AccountRow>> {
  const rows = await db.rows<AccountRow>(sql`
    select ${accountColumns} from accounts a where a.id = any(${ids}::int8[]) and a.valid_until = ${still}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Like `findAccountById`; simultaneous calls share a query. */
export const findAccountShared = together(findAccountsById);

/** Finds the user who signs in with a name or e-mail address, in any letter case. Organizations cannot sign in. */
export async function findAccountByLogin(db: Queryable, login: string): Promise<AccountRow | undefined> {
  const name = login.toLowerCase();
  const [row] = await db.rows<AccountRow>(sql`
    select * from accounts
    where (lower_name = ${name} or lower_emails @> array[${name}::text])
      and valid_until = ${still} and kind = 'user'
    order by lower_name = ${name} desc limit 1`);
  return row;
}

/**
 * Finds the account that has a name or, if nobody has it now, the last one that had it; undefined if that one was
 * deleted. Accounts that had the name and were erased are not remembered. This is one statement, so that nothing
 * changes in between.
 */
export async function findAccountBehind(db: Queryable, name: string): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    select * from accounts where id = (${idEverNamed(name)}) and valid_until = ${still}`);
  return row;
}

const idEverNamed = (name: string) => fragment`
  select id from accounts where lower_name = ${accountNameKey(name)} order by valid_until desc limit 1`;

/** Finds the id of the account that has, or was the last to have, a name in any letter case, even if it was deleted. */
export async function findAccountIdEverNamed(db: Queryable, name: string): Promise<number | undefined> {
  const [row] = await db.rows<{ id: number }>(sql`${idEverNamed(name)}`);
  return row?.id;
}
