import type { Queryable } from '../database/queryable.js';
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
import { accountAbsent } from './accounts/absent.js';
import { isKnown } from './accounts/visibility.js';
import type { Caller, Principal } from './caller.js';

/** Thrown if the account that had this name was renamed; the request is then redirected to the new name. */
export class AccountMoved extends Error {
  override readonly name = 'AccountMoved';
  constructor(
    readonly from: string,
    readonly to: string,
    readonly visibility: string,
  ) {
    super('the account was renamed');
  }
}

/** Tells whether text could be an account's name. No name is longer or has other characters. */
export const couldBeAName = (text: string): boolean => /^[\w.-]{1,100}$/.test(text);

/**
 * Finds the user or organization of that name, in any letter case; undefined if there is none. For a moment in the
 * past, finds the account that had the name then or, if none had, the one that has it now.
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

/** As `accountNamed`, but undefined too if the caller may not know of the account. */
export async function knownAccountNamed(
  db: Queryable,
  name: string,
  caller: Caller,
): Promise<AccountRow | undefined> {
  const account = await accountNamed(db, name);
  return account && (await isKnown(db, account, caller)) ? account : undefined;
}

/** As `accountNamed`, but throws 404 if there is none, or `AccountMoved` as `takenOrMoved`. */
export async function findAccount(
  db: Queryable,
  name: string,
  viewer: Caller,
  at?: Moment,
): Promise<AccountRow> {
  const account = await accountNamed(db, name, at);
  if (account) return account;
  const taken = await takenOrMoved(db, name, viewer);
  if (at !== undefined) throw accountAbsent();
  return taken;
}

/** As `findAccount`, but returns only the id of the account that has the name now. */
export const accountIdOf = async (db: Queryable, name: string, viewer: Caller): Promise<number> =>
  (await accountIdNamed(db, name)) ?? (await takenOrMoved(db, name, viewer)).id;

/** Returns the caller's own account. Throws 404 if it was deleted a moment ago. */
export async function ownAccount(db: Queryable, { accountId }: Principal): Promise<AccountRow> {
  const account = await findAccountById(db, accountId);
  if (!account) throw accountAbsent();
  return account;
}

/**
 * For a name that no account was found by: returns the account that has taken it meanwhile. Otherwise throws `AccountMoved`
 * if an account had the name that the viewer may know of, and else 404.
 */
export async function takenOrMoved(db: Queryable, name: string, viewer: Caller): Promise<AccountRow> {
  const account = await followMoved(db, name, viewer);
  if (!account) throw accountAbsent();
  return account;
}

/** Returns the id of the account that has the name now; asks nothing for text that is no name. */
export async function accountIdNamed(db: Queryable, name: string): Promise<number | undefined> {
  return couldBeAName(name) ? findAccountId(db, accountNameKey(name)) : undefined;
}

/** As `findAccountBehind`, but asks nothing for text that is no name. */
export async function accountBehind(db: Queryable, name: string): Promise<AccountRow | undefined> {
  return couldBeAName(name) ? findAccountBehind(db, name) : undefined;
}

/** Returns the account of that name, if any. Throws `AccountMoved` if one had it before that the viewer may know of. */
export async function followMoved(
  db: Queryable,
  name: string,
  viewer: Caller,
): Promise<AccountRow | undefined> {
  const account = await accountBehind(db, name);
  if (!account?.name || account.lower_name === accountNameKey(name)) return account;
  if (await isKnown(db, account, viewer)) throw new AccountMoved(name, account.name, account.visibility);
  return undefined;
}
