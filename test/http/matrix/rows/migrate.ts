import { answersOf, repositoryWriters, type Outcome, type Policy } from '../policy.js';
import type { Rows } from '../row.js';
import { repository } from './repositories.js';

/** As the policy has it, for a request that is refused with this status to whoever has the right. */
const refusing = (policy: Policy, status: Outcome): Policy => ({
  ...policy,
  answers: answersOf((person) => (policy.answers[person] === 'success' ? status : policy.answers[person])),
});

/** Into the organization `acme`; the address is one that nobody may migrate from. */
const migrating: Policy = {
  answers: {
    anonymous: 401,
    stranger: 403,
    'restricted stranger': 422, // who may not know of the organization
    member: 403,
    'team reader': 403,
    owner: 422,
    administrator: 422,
  },
  absence: 'refused',
};

export const migrateRows: Rows = {
  repoMigrate: {
    policy: migrating,
    body: (name) => ({ clone_addr: 'ssh://git@example.org/a.git', repo_name: name, repo_owner: 'acme' }),
  },
  repoMirrorSync: repository({ policy: refusing(repositoryWriters, 400) }), // of what is no mirror
};
