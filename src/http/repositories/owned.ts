import type { OwnedRepositories } from '../../commands/repositories/owned-repositories.js';
import { listClaimedRepositoryIds } from '../../queries/repositories/ownership.js';
import type { Actions } from '../actions.js';
import { untilShown } from '../moment.js';
import { deleteWithArchives } from './delete-with-archives.js';

/** Gives the commands that delete accounts access to their repositories. */
export const ownedRepositories = (
  request: Pick<Actions, 'db' | 'services' | 'wrote'>,
): OwnedRepositories => ({
  async of(ownerId, position) {
    await untilShown(request.services, position);
    return listClaimedRepositoryIds(request.db, ownerId);
  },
  delete: (repository, context) => deleteWithArchives(request, repository, context),
});
