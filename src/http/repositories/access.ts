import { rankOf } from '../../domain/organizations/team-access.js';
import { accessWhere, anyone, type Access } from '../access.js';
import type { Caller } from '../caller.js';
import { Refused } from '../refused.js';
import type { RepositoryMet } from './place.js';

/** Admits callers who may see the repository, signed in or not. */
export const repositoryReader: Access = { ...anyone, name: 'whoever sees the repository', afterParent: true };

/** Admits callers who may read the repository's code, signed in or not. */
export const codeReader: Access<Caller, RepositoryMet> = {
  name: 'whoever may read the code of the repository',
  afterParent: true,
  admit(caller, { parent }) {
    if (parent.units['repo.code'] < rankOf('read')) throw new Refused(403, 'readers of the code only');
    return caller;
  },
};

/** Admits callers who may write the repository's code. */
export const repositoryWriter = accessWhere<RepositoryMet>(
  'writer of the repository',
  'writers of the repository only',
  (_, { parent }) => parent.units['repo.code'] >= rankOf('write'),
);

export const repositoryAdministrator = accessWhere<RepositoryMet>(
  'administrator of the repository',
  'administrators of the repository only',
  (_, { parent }) => parent.rank >= rankOf('admin'),
);

export const repositoryOwner = accessWhere<RepositoryMet>(
  'owner of the repository or site administrator',
  'owners of the repository only',
  (_, { parent }) => parent.rank >= rankOf('owner'),
);
