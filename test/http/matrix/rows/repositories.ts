import {
  anybody,
  anybodyHere,
  answersOf,
  nowhere,
  organizationOwners,
  signedIn,
  siteAdministrators,
  unseenByRestricted,
} from '../policy.js';
import type { Other, Row, Rows } from '../row.js';
import type { World } from '../world.js';
import { hiddenUser } from './accounts.js';
import { here } from './organizations.js';

/** Not there for whoever may not know of it, whatever is asked. */
const vault: Other = {
  what: 'private repository',
  names: ({ repositories }) => ({ repo: 'vault', id: repositories.vault }),
  hidden: true,
  answers: {
    anonymous: 404,
    stranger: 404,
    'restricted stranger': 404,
    member: 404,
    'team reader': 404,
    'administrator as the stranger': 404,
    'token without repository': 403,
    'public-only token': 403,
  },
};

/** At a repository of `acme`: whether it is there is told before anything is said of rights. */
export const repository = (row: Row): Row => ({
  ...row,
  others: [...(row.others ?? []), vault],
  absent: { repo: nowhere, ...row.absent },
});

/** What the member may do where it administers the repository. */
export const asAdministrator = (outcome: 'success' | 403): Other => ({
  what: 'repository that the member administers',
  names: () => ({ repo: 'administered' }),
  answers: { anonymous: 401, stranger: 403, member: outcome, 'team reader': 403 },
});

export async function freshRepository({ make, unique }: World) {
  const repo = unique();
  await make('POST', '/orgs/acme/repos', { name: repo });
  return { repo };
}

const named = (name: string) => ({ name });

export const repositoryRows: Rows = {
  createCurrentUserRepo: { policy: signedIn, body: named },
  createOrgRepo: {
    policy: organizationOwners,
    body: named,
    absent: { org: answersOf((person) => (person === 'anonymous' ? 401 : 422)) },
  },
  orgCreateRepo: here({ policy: organizationOwners, body: named }),
  adminCreateRepo: { policy: siteAdministrators, body: named },

  repoGet: repository({ policy: anybodyHere }),
  repoGetByID: {
    policy: unseenByRestricted(signedIn),
    names: ({ repositories }) => ({ id: repositories.code }),
    others: [{ ...vault, answers: { ...vault.answers, anonymous: 401 } }],
  },
  repoEdit: repository({
    policy: organizationOwners,
    body: (description) => ({ description }),
    others: [asAdministrator('success')],
  }),
  repoDelete: repository({
    policy: organizationOwners,
    fresh: freshRepository,
    others: [asAdministrator(403)],
  }),

  orgListRepos: here({ policy: anybodyHere }),
  userListRepos: { policy: anybody, others: [hiddenUser(404)] },
  userCurrentListRepos: { policy: signedIn },
  repoSearch: { policy: anybody },
};
