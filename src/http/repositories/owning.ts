import { createdBefore, type NewRepository } from '../../commands/repositories/create-repository.js';
import type { Queryable } from '../../database/database.js';
import { Account } from '../../domain/accounts/account.js';
import { forbidden } from '../../domain/errors.js';
import { administersEveryRepository, countOwnedRepositories } from '../../queries/repositories/ownership.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';

/** The code with which somebody is refused who owns as many repositories as allowed. */
export const LIMIT_REACHED = 'repository.limit_reached';

/**
 * Refuses where the owner may have no more repositories; site administrators may give it more. The one that this very
 * request created, where its answer was lost, does not count against itself.
 */
export async function checkMayOwnMore(
  { db, services, context }: Pick<Actions, 'context' | 'db' | 'services'>,
  ownerId: number,
  caller: Principal,
): Promise<void> {
  if (caller.isAdmin) return;
  if (await createdBefore(services, context)) return;
  const { maxRepoCreation } = (await services.commands.load(Account, ownerId)).state.settings;
  if (maxRepoCreation >= 0 && (await countOwnedRepositories(db, ownerId)) >= maxRepoCreation)
    throw forbidden(LIMIT_REACHED, `the limit of ${maxRepoCreation} repositories is reached`);
}

/** Who creates a repository of another's and would not administer it by a team is let in as an administrator. */
export async function letInto(
  db: Queryable,
  ownerId: number,
  { accountId, isAdmin }: Principal,
): Promise<Pick<NewRepository, 'collaborator'>> {
  const administers =
    isAdmin || ownerId === accountId || (await administersEveryRepository(db, ownerId, accountId));
  return administers ? {} : { collaborator: { accountId, permission: 'admin' } };
}
