import type { Queryable } from '../../database/database.js';
import { rankOf } from '../../domain/organizations/team-access.js';
import { findAccountByName, type AccountRow } from '../../queries/accounts/accounts.js';
import type { Knower } from '../../queries/accounts/ties.js';
import { isCollaborator } from '../../queries/repositories/collaborators.js';
import { everybodyFor, isKnown, knowerOf } from '../accounts/visibility.js';
import type { Caller } from '../caller.js';
import { couldBeAName } from '../find.js';
import type { RepositoryMet } from './place.js';

/** A request that names somebody in a repository. */
export interface Naming {
  readonly db: Queryable;
  readonly caller: Caller;
  readonly parent: RepositoryMet;
}

/** Of the people of a repository its administrators see all, others whom they may know of. */
export const peopleSeenIn = ({ rank }: RepositoryMet, caller: Caller): Knower =>
  rank >= rankOf('admin') ? everybodyFor(caller) : knowerOf(caller);

/**
 * The account of that name; undefined where there is none, and for one that the caller may not know of and that was not let
 * into the repository either.
 */
export async function personNamed(
  { db, caller, parent }: Naming,
  name: string,
): Promise<AccountRow | undefined> {
  const account = couldBeAName(name) ? await findAccountByName(db, name) : undefined;
  return account && (await mayName({ db, caller, parent }, account)) ? account : undefined;
}

/** Whether the caller may know that the account exists, or finds it among the people of the repository. */
export async function mayName({ db, caller, parent }: Naming, account: AccountRow): Promise<boolean> {
  const { repository } = parent;
  if (account.id === repository.owner_id || (await isKnown(db, account, caller))) return true;
  const asked = { repositoryId: repository.id, knower: peopleSeenIn(parent, caller) };
  return isCollaborator(db, asked, account.lower_name ?? '');
}
