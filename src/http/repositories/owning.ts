import { createdBefore, type NewRepository } from '../../commands/repositories/create-repository.js';
import type { Queryable } from '../../database/database.js';
import { Account } from '../../domain/accounts/account.js';
import { forbidden } from '../../domain/errors.js';
import { administersEveryRepository, countOwnedRepositories } from '../../queries/repositories/ownership.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { untilShown } from '../moment.js';

/** The code with which somebody is refused who owns as many repositories as allowed. */
export const LIMIT_REACHED = 'repository.limit_reached';

/**
 * Runs `work`, which makes a repository, where its owner may have one more; site administrators may give it more. Where there
 * is a limit one is made at a time, so that each counts against the next. The one that this very request created, where
 * its answer was lost, does not count against itself.
 */
export async function owningMore<T>(
  { db, services, context }: Pick<Actions, 'context' | 'db' | 'services'>,
  ownerId: number,
  caller: Principal,
  work: () => Promise<T>,
): Promise<T> {
  if (caller.isAdmin || (await createdBefore(services, context))) return work();
  const { maxRepoCreation } = (await services.commands.load(Account, ownerId)).state.settings;
  if (maxRepoCreation < 0) return work();
  return services.vault.withKeyLock(services.vault.digest('owner', String(ownerId)), async () => {
    await untilShown(services);
    if ((await countOwnedRepositories(db, ownerId)) >= maxRepoCreation)
      throw forbidden(LIMIT_REACHED, `the limit of ${maxRepoCreation} repositories is reached`);
    return work();
  });
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
