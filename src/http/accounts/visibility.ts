import type { AccountRow } from '../../queries/accounts/accounts.js';
import type { Queryable } from '../../database/queryable.js';
import { everybody, haveTie, type Knower } from '../../queries/accounts/ties.js';
import type { Actions } from '../actions.js';
import type { Caller } from '../caller.js';
import { accountAbsent } from './absent.js';
import { isNarrow, isOutOfReach, refuseNarrowToken } from '../public-only.js';
import { seesPrivate } from './presenter.js';

type Known = Pick<AccountRow, 'id' | 'kind' | 'visibility'>;

/** Tells whether the caller may know that the account exists, not considering common organizations. */
function isVisible({ id, kind, visibility }: Known, caller: Caller): boolean {
  if (seesPrivate(caller, id)) return true;
  if (kind === 'organization' && caller?.restricted) return false;
  if (visibility === 'public') return true;
  return visibility === 'limited' && caller !== undefined && !caller.restricted;
}

/** Tells whether the caller may know that the account exists; members of the same organization always may. */
export const isKnown = async (db: Queryable, account: Known, caller: Caller): Promise<boolean> =>
  isVisible(account, caller) || (caller !== undefined && (await haveTie(db, account.id, caller.accountId)));

/** As `isKnown`, but false too if the caller's token is limited to what is public and the account is not. */
export const isSeen = async (db: Queryable, account: Known, caller: Caller): Promise<boolean> =>
  !isOutOfReach(account, caller) && (await isKnown(db, account, caller));

/** Returns which users the caller may know of, for lists of users. */
export function knowerOf(caller: Caller): Knower {
  if (!caller || isNarrow(caller)) return { viewerId: null, sees: ['public'] };
  if (caller.isAdmin) return everybody;
  return { viewerId: caller.accountId, sees: caller.restricted ? ['public'] : ['public', 'limited'] };
}

/**
 * Returns all users for callers who may see any visibility, but only public ones for tokens that are limited to what is
 * public.
 */
export const everybodyFor = (caller: Caller): Knower => (isNarrow(caller) ? knowerOf(caller) : everybody);

type Request = Pick<Actions, 'find' | 'db'> & { readonly caller: Caller };

/** Finds the user or organization of that name. Throws 404 if there is none, or if the caller may not know of it. */
export async function accountKnown({ find, db, caller }: Request, name: string): Promise<AccountRow> {
  const account = await find.account(name);
  if (!(await isKnown(db, account, caller))) throw accountAbsent();
  return account;
}

/** As `accountKnown`, but throws 403 if the token is limited to what is public and the account is not. */
export async function accountSeen(request: Request, name: string): Promise<AccountRow> {
  const account = await accountKnown(request, name);
  refuseNarrowToken(account, request.caller);
  return account;
}
