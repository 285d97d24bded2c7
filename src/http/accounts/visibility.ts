import type { AccountRow } from '../../queries/accounts/accounts.js';
import type { Queryable } from '../../database/database.js';
import { everybody, haveTie, type Knower } from '../../queries/accounts/ties.js';
import type { Actions } from '../actions.js';
import type { Caller } from '../caller.js';
import { accountAbsent } from './absent.js';
import { isNarrow, refuseNarrowToken } from '../public-only.js';
import { seesPrivate } from './presenter.js';

type Known = Pick<AccountRow, 'id' | 'kind' | 'visibility'>;

/** Whether the caller may know that the account exists, whatever ties there are. */
function isVisible({ id, kind, visibility }: Known, caller: Caller): boolean {
  if (seesPrivate(caller, id)) return true;
  if (kind === 'organization' && caller?.restricted) return false;
  if (visibility === 'public') return true;
  return visibility === 'limited' && caller !== undefined && !caller.restricted;
}

/** Whether the caller may know that the account exists: who shares an organization knows of each other. */
export const isKnown = async (db: Queryable, account: Known, caller: Caller): Promise<boolean> =>
  isVisible(account, caller) || (caller !== undefined && (await haveTie(db, account.id, caller.accountId)));

/** Whom the caller may know of, for lists of users. */
export function knowerOf(caller: Caller): Knower {
  if (!caller || isNarrow(caller)) return { viewerId: null, sees: ['public'] };
  if (caller.isAdmin) return everybody;
  return { viewerId: caller.accountId, sees: caller.restricted ? ['public'] : ['public', 'limited'] };
}

/**
 * All users, for callers who may see them whatever their visibility; with a token that reaches only what is public, those
 * that are.
 */
export const everybodyFor = (caller: Caller): Knower => (isNarrow(caller) ? knowerOf(caller) : everybody);

type Request = Pick<Actions, 'find' | 'db'> & { readonly caller: Caller };

/** The user or organization of that name; one that the caller may not know of is 404 like one that is not there. */
export async function accountKnown({ find, db, caller }: Request, name: string): Promise<AccountRow> {
  const account = await find.account(name);
  if (!(await isKnown(db, account, caller))) throw accountAbsent();
  return account;
}

/** As `accountKnown`; one that is not public is 403 for tokens that reach only what is. */
export async function accountSeen(request: Request, name: string): Promise<AccountRow> {
  const account = await accountKnown(request, name);
  refuseNarrowToken(account, request.caller);
  return account;
}
