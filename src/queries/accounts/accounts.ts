import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import type { Visibility } from '../../domain/accounts/account.js';
import { NOW, still, type Moment } from '../moment.js';
import { together } from '../../database/together.js';
import { accountNameKey } from '../../domain/accounts/names.js';

/** A user or an organization. Personal columns are null once the person was erased. */
export interface AccountRow {
  readonly id: number;
  readonly kind: 'user' | 'organization';
  readonly name: string | null;
  readonly lower_name: string | null;
  /** The primary address. */
  readonly email: string | null;
  /** In lower case, the primary one among them; of users alone. */
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
 * An `AccountRow` of `accounts a`. The table has more, among it addresses and histories: reading them costs lists a
 * third.
 */
export const accountColumns = fragment`a.id, a.kind, a.name, a.lower_name, a.email, a.lower_emails, a.hide_email,
  a.full_name, a.login_name, a.source_id, a.visibility, a.restricted, a.is_admin, a.language, a.location, a.pronouns,
  a.website, a.description, a.created_at`;

/** The account of that name in any letter case, user or organization; undefined where there is none. */
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

/** The account that has that name today, as it was at that moment; undefined where there was none yet. */
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

/** The ids of the accounts that have these lower-case names, by name. */
export async function findAccountIds(
  db: Queryable,
  lowerNames: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ id: number; lower_name: string }>(sql`
    select id, lower_name from accounts
    where lower_name = any(${lowerNames}::text[]) and valid_until = ${still}`);
  return new Map(rows.map(({ id, lower_name: name }) => [name, id]));
}

/** The id of the account that has that lower-case name; undefined where there is none. */
export const findAccountId = together(findAccountIds);

/** A user or organization by its id; undefined where there is none, or no more. */
export async function findAccountById(db: Queryable, id: number): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    select * from accounts where id = ${id} and valid_until = ${still}`);
  return row;
}

/** As `findAccountById`; one that was deleted as it was last. */
export async function findAccountEver(db: Queryable, id: number): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    select * from accounts where id = ${id} order by valid_until desc limit 1`);
  return row;
}

/** Those of these accounts that exist, by id. */
export async function findAccountsById(
  db: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AccountRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<AccountRow>(sql`
    select ${accountColumns} from accounts a where a.id = any(${ids}::int8[]) and a.valid_until = ${still}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** As `findAccountById`, for what many requests ask at the same time. */
export const findAccountShared = together(findAccountsById);

/** Who signs in under this name or e-mail address, in any letter case; organizations cannot. */
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
 * The account that has this name or, while nobody has taken it, had it before; undefined where there is none. One that took
 * it and was erased is not remembered. A single statement, so that nothing happens in between.
 */
export async function findAccountBehind(db: Queryable, name: string): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    select * from accounts where id = (${idEverNamed(name)}) and valid_until = ${still}`);
  return row;
}

const idEverNamed = (name: string) => fragment`
  select id from accounts where lower_name = ${accountNameKey(name)} order by valid_until desc limit 1`;

/** The account that has, or else was the last to have, that name in any letter case; deleted ones too. */
export async function findAccountIdEverNamed(db: Queryable, name: string): Promise<number | undefined> {
  const [row] = await db.rows<{ id: number }>(sql`${idEverNamed(name)}`);
  return row?.id;
}
