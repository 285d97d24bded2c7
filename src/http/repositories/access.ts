import { rankOf } from '../../domain/organizations/team-access.js';
import { anyone, signedIn, type Access } from '../access.js';
import type { Principal } from '../caller.js';
import { Refused } from '../refused.js';
import type { RepositoryMet } from './place.js';

/** Whoever sees the repository, signed in or not. */
export const repositoryReader: Access = { ...anyone, name: 'whoever sees the repository', afterParent: true };

/** Whoever may read its code, signed in or not. */
export const codeReader: Access<Parameters<Access['admit']>[0], RepositoryMet> = {
  name: 'whoever may read the code of the repository',
  afterParent: true,
  admit(caller, { parent }) {
    if (parent.units['repo.code'] < rankOf('read')) throw new Refused(403, 'readers of the code only');
    return caller;
  },
};

const atLeast = (
  name: string,
  refusal: string,
  reaches: (met: RepositoryMet) => boolean,
): Access<Principal, RepositoryMet> => ({
  name,
  afterParent: true,
  admit(caller, place) {
    const principal = signedIn.admit(caller, place);
    if (!reaches(place.parent)) throw new Refused(403, refusal);
    return principal;
  },
});

/** Of its code. */
export const repositoryWriter = atLeast(
  'writer of the repository',
  'writers of the repository only',
  ({ units }) => units['repo.code'] >= rankOf('write'),
);

export const repositoryAdministrator = atLeast(
  'administrator of the repository',
  'administrators of the repository only',
  ({ rank }) => rank >= rankOf('admin'),
);

export const repositoryOwner = atLeast(
  'owner of the repository or site administrator',
  'owners of the repository only',
  ({ rank }) => rank >= rankOf('owner'),
);
