import { deleteRepository } from '../../commands/repositories/delete-repository.js';
import type { OwnedRepositories } from '../../commands/repositories/owned-repositories.js';
import { listClaimedRepositoryIds } from '../../queries/repositories/ownership.js';
import type { Actions } from '../actions.js';
import { untilShown } from '../moment.js';
import { forksOf } from './forks-of.js';

/** The repositories of accounts, for commands that delete accounts. */
export const ownedRepositories = ({
  db,
  services,
  wrote,
}: Pick<Actions, 'db' | 'services' | 'wrote'>): OwnedRepositories => ({
  async of(ownerId, position) {
    await untilShown(services, position);
    return listClaimedRepositoryIds(db, ownerId);
  },
  delete: (repository, context) =>
    deleteRepository({ ...services, forksOf: forksOf({ db, wrote }) }, repository, context),
});
