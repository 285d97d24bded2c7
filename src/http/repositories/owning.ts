import { createdBefore } from '../../commands/repositories/create-repository.js';
import type { NewRepository } from '../../commands/repositories/new-repository.js';
import type { Queryable } from '../../database/database.js';
import { Account } from '../../domain/accounts/account.js';
import { DomainError, type RefusalKind } from '../../domain/errors.js';
import type { Position } from '../../event-store/event-store.js';
import { administersEveryRepository, countOwnedRepositories } from '../../queries/repositories/ownership.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { untilShown } from '../moment.js';
import { problem } from '../schema.js';
import { presentRepositoryNow, type PresentedRepository } from './presenter.js';

/** A request that makes a repository. */
type Creating = Pick<Actions, 'context' | 'db' | 'services' | 'wrote'> & { readonly caller: Principal };

/** What every way of making a repository may answer. */
export const refusals = { 401: problem, 403: problem, 409: problem, 413: problem, 422: problem };

/**
 * Runs `work`, which makes a repository, where its owner may have one more; site administrators may give it more. Refuses
 * otherwise, as the kind that clients of the route know. Where there is a limit, repositories are made one at a time, so
 * that each counts against the next. The one that this very request created, where its answer was lost, does not count
 * against itself.
 */
export async function owningMore<T>(
  { caller, db, services, context }: Creating,
  ownerId: number,
  work: () => Promise<T>,
  refusedAs: RefusalKind = 'forbidden',
): Promise<T> {
  if (caller.isAdmin || (await createdBefore(services, context))) return work();
  const { maxRepoCreation } = (await services.commands.load(Account, ownerId)).state.settings;
  if (maxRepoCreation < 0) return work();
  return services.vault.withKeyLock(services.vault.digest('owner', String(ownerId)), async () => {
    await untilShown(services);
    if ((await countOwnedRepositories(db, ownerId)) >= maxRepoCreation)
      throw new DomainError(
        refusedAs,
        'repository.limit_reached',
        `the limit of ${maxRepoCreation} repositories is reached`,
      );
    return work();
  });
}

/** Whoever makes a repository of another owner's becomes a collaborator that administers it, unless they may anyway. */
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
