import type { Queryable } from '../database/database.js';
import { accountNameKey } from '../domain/accounts/names.js';
import {
  findAccountByName,
  findAccountById,
  findAccountId,
  findAccountBehind,
  findAccountNamedSince,
  type AccountRow,
} from '../queries/accounts/accounts.js';
import type { Moment } from '../queries/moment.js';
import { accountAbsent, isAccountAbsent } from './accounts/absent.js';
import { isKnown } from './accounts/visibility.js';
import type { Caller, Principal } from './caller.js';

/** The account that bore this name was renamed; the request belongs to its new name. */
export class AccountMoved extends Error {
  override readonly name = 'AccountMoved';
  constructor(
    readonly from: string,
    readonly to: string,
  ) {
    super('the account was renamed');
  }
}

/** Whether an account could be named so: longer than any name, and with other characters, none is. */
export const couldBeAName = (text: string): boolean => /^[\w.-]{1,100}$/.test(text);

/**
 * The user or organization of that name in any letter case; undefined where there is none. For a moment of the past it is
 * whoever had the name then, or else whoever has it now.
 */
export async function accountNamed(
  db: Queryable,
  name: string,
  at?: Moment,
): Promise<AccountRow | undefined> {
  if (!couldBeAName(name)) return undefined;
  const account = await findAccountByName(db, name, at);
  return account || at === undefined ? account : findAccountNamedSince(db, name, at);
}

/** As `accountNamed`, among those that the caller may know of. */
export async function knownAccountNamed(
  db: Queryable,
  name: string,
  caller: Caller,
): Promise<AccountRow | undefined> {
  const account = await accountNamed(db, name);
  return account && (await isKnown(db, account, caller)) ? account : undefined;
}

/** As `accountNamed`; 404 where there is none. */
export async function findAccount(db: Queryable, name: string, at?: Moment): Promise<AccountRow> {
  const account = await accountNamed(db, name, at);
  if (!account) throw accountAbsent();
  return account;
}

/** The caller's own account; 404 where it was deleted just now. */
export async function ownAccount(db: Queryable, { accountId }: Principal): Promise<AccountRow> {
  const account = await findAccountById(db, accountId);
  if (!account) throw accountAbsent();
  return account;
}

/** As `findAccount`, for a request that needs the id alone. */
export async function accountIdOf(db: Queryable, name: string): Promise<number> {
  const id = couldBeAName(name) ? await findAccountId(db, accountNameKey(name)) : undefined;
  if (id === undefined) throw accountAbsent();
  return id;
}

/**
 * After a 404 for `name`: whoever took it since. Throws `AccountMoved` where an account had it that the viewer may know
 * of, else the same 404.
 */
export async function takenOrMoved(
  db: Queryable,
  name: string,
  viewer: Caller,
  absent: unknown,
): Promise<AccountRow> {
  const account = isAccountAbsent(absent) ? await followMoved(db, name, viewer) : undefined;
  if (!account) throw absent;
  return account;
}

/** The account of that name, if any. Throws `AccountMoved` where one had it before that the viewer may know of. */
export async function followMoved(
  db: Queryable,
  name: string,
  viewer: Caller,
): Promise<AccountRow | undefined> {
  const account = couldBeAName(name) ? await findAccountBehind(db, name) : undefined;
  if (!account?.name || account.lower_name === accountNameKey(name)) return account;
  if (await isKnown(db, account, viewer)) throw new AccountMoved(name, account.name);
  return undefined;
}
