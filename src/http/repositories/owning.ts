import { createdBefore } from '../../commands/repositories/create-repository.js';
import type { NewRepository } from '../../commands/repositories/new-repository.js';
import type { Queryable } from '../../database/queryable.js';
import { Account } from '../../domain/accounts/account.js';
import { DomainError, type RefusalKind } from '../../domain/errors.js';
import type { Position } from '../../event-store/event-store.js';
import { administersEveryRepository, countOwnedRepositories } from '../../queries/repositories/ownership.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { oneAtATime } from '../one-at-a-time.js';
import { problem } from '../schema.js';
import { presentRepositoryNow, type PresentedRepository } from './presenter.js';

/** A request that creates a repository. */
type Creating = Pick<Actions, 'context' | 'db' | 'services' | 'wrote'> & { readonly caller: Principal };

/** The answers to a refused creation, on every route that creates repositories. */
export const refusals = { 401: problem, 403: problem, 409: problem, 413: problem, 422: problem };

/**
 * Runs `work`, which creates a repository, if its owner may have one more; site administrators may exceed the limit.
 * Otherwise refuses with the kind that the route's clients expect. If there is a limit, repositories are created one at a
 * time, so that each counts for the next. If this request has already created its repository and the answer was lost,
 * that one is not counted against it.
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
  return oneAtATime(services, { kind: 'owner', whose: String(ownerId) }, async () => {
    if ((await countOwnedRepositories(db, ownerId)) >= maxRepoCreation)
      throw new DomainError(
        refusedAs,
        'repository.limit_reached',
        `the limit of ${maxRepoCreation} repositories is reached`,
      );
    return work();
  });
}

/** Makes a caller who creates a repository for another owner an administrator of it, if the caller is none anyway. */
export async function letInto(
  db: Queryable,
  ownerId: number,
  { accountId, isAdmin }: Principal,
): Promise<Pick<NewRepository, 'collaborator'>> {
  const administers =
    isAdmin || ownerId === accountId || (await administersEveryRepository(db, ownerId, accountId));
  return administers ? {} : { collaborator: { accountId, permission: 'admin' } };
}

/** Presents the new repository to the caller, once the read models show it. */
export async function presentCreated(
  request: Creating,
  { repositoryId, position }: { readonly repositoryId: number; readonly position: Position },
): Promise<PresentedRepository> {
  await request.wrote(position);
  return presentRepositoryNow(request, repositoryId);
}
