import { rankOf } from '../../domain/organizations/team-access.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';
import type { Knower } from '../../queries/accounts/ties.js';
import { isCollaborator } from '../../queries/repositories/collaborators.js';
import { everybodyFor, isSeen, knowerOf } from '../accounts/visibility.js';
import type { Caller } from '../caller.js';
import { accountNamed } from '../find.js';
import type { RepositoryMet, RepositoryRequest } from './place.js';

/** Returns which people of a repository the caller sees: administrators all, others those they may know of. */
export const peopleSeenIn = ({ rank }: RepositoryMet, caller: Caller): Knower =>
  rank >= rankOf('admin') ? everybodyFor(caller) : knowerOf(caller);

/**
 * Finds the account of that name; undefined if there is none, or if the caller neither sees it nor finds it among the
 * people of the repository.
 */
export async function personNamed(request: RepositoryRequest, name: string): Promise<AccountRow | undefined> {
  const account = await accountNamed(request.db, name);
  return account && (await mayName(request, account)) ? account : undefined;
}

/** Tells whether the caller sees the account, by itself or among the people of the repository. */
export async function mayName(
  { db, caller, parent }: RepositoryRequest,
  account: AccountRow,
): Promise<boolean> {
  const { repository } = parent;
  if (account.id === repository.owner_id || (await isSeen(db, account, caller))) return true;
  const asked = { repositoryId: repository.id, knower: peopleSeenIn(parent, caller) };
  return isCollaborator(db, asked, account.lower_name ?? '');
}
