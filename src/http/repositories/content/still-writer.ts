import { forbidden } from '../../../domain/errors.js';
import { rankOf } from '../../../domain/organizations/team-access.js';
import { repositoryWithId, type RepositoryRequest } from '../place.js';

/**
 * Makes a check for commands that may wait for others on the same repository. They call it just before refs move, and it
 * throws 403 if the caller may not write there any more.
 */
export const stillWriter = ({ db, caller, parent }: RepositoryRequest) => ({
  mayStill: async (): Promise<void> => {
    const { units } = await repositoryWithId(db, parent.repository.id, caller);
    if (units['repo.code'] < rankOf('write'))
      throw forbidden('repository.writers', 'writers of the repository only');
  },
});
