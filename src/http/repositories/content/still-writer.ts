import { forbidden } from '../../../domain/errors.js';
import { rankOf } from '../../../domain/organizations/team-access.js';
import { repositoryWithId, type RepositoryRequest } from '../place.js';

/**
 * For commands that may wait for others at the same repository: whether the caller still writes there is asked once more,
 * just before refs move. Throws 403.
 */
export const stillWriter = ({ db, caller, parent }: RepositoryRequest) => ({
  mayStill: async (): Promise<void> => {
    const { units } = await repositoryWithId(db, parent.repository.id, caller);
    if (units['repo.code'] < rankOf('write'))
      throw forbidden('repository.writers', 'writers of the repository only');
  },
});
