import type { Queryable } from '../database/database.js';
import { notFound } from '../domain/errors.js';
import { findAccountByName, type AccountRow } from '../queries/accounts/accounts.js';
import type { Moment } from '../queries/moment.js';

// Longer than any name of an account; other characters are in none (conventions §7).
const COULD_BE_A_NAME = /^[\w.-]{1,100}$/;

/** The user or organization of that name in any letter case; 404 where there is none. */
export async function findAccount(db: Queryable, name: string, at?: Moment): Promise<AccountRow> {
  const account = COULD_BE_A_NAME.test(name) ? await findAccountByName(db, name, at) : undefined;
  if (!account) throw notFound('account.absent', 'no such user or organization');
  return account;
}
