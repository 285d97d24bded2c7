import { createdBefore } from '../../commands/repositories/create-repository.js';
import type { NewRepository } from '../../commands/repositories/new-repository.js';
import type { Queryable } from '../../database/database.js';
import { Account } from '../../domain/accounts/account.js';
import { forbidden } from '../../domain/errors.js';
import type { Position } from '../../event-store/event-store.js';
import { administersEveryRepository, countOwnedRepositories } from '../../queries/repositories/ownership.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { untilShown } from '../moment.js';
import { presentRepositoryNow, type PresentedRepository } from './presenter.js';

/** A request that makes a repository. */
type Creating = Pick<Actions, 'context' | 'db' | 'services' | 'wrote'> & { readonly caller: Principal };

/** The code with which somebody is refused who owns as many repositories as allowed. */
export const LIMIT_REACHED = 'repository.limit_reached';

/**
 * Runs `work`, which makes a repository, where its owner may have one more; site administrators may give it more. Where there
 * is a limit one is made at a time, so that each counts against the next. The one that this very request created, where
 * its answer was lost, does not count against itself.
 */
export async function owningMore<T>(
  { caller, db, services, context }: Creating,
  ownerId: number,
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

/** The repository that was just made, as the caller sees it once its reads show it. */
export async function presentCreated(
  request: Creating,
  { repositoryId, position }: { readonly repositoryId: number; readonly position: Position },
): Promise<PresentedRepository> {
  await request.wrote(position);
  return presentRepositoryNow(request, repositoryId);
}
