import {
  anybody,
  anybodyHere,
  memberAlone,
  organizationMembers,
  organizationOwners,
  signedIn,
  signedInHere,
  siteAdministrators,
  teamOwners,
  teamReaderAlone,
  teamReaders,
  unseenByRestricted,
} from '../policy.js';
import { addLabel, LABEL, READS_CODE } from '../furnish.js';
import { hiddenUser } from './accounts.js';
import type { Other, Row, Rows } from '../row.js';
import type { World } from '../world.js';

/** Not there for whoever may not know of them, whatever is asked. */
const hidden: readonly Other[] = [
  {
    what: 'limited organization',
    names: ({ teams }) => ({ org: 'club', id: teams.club }),
    hidden: true,
    answers: { anonymous: 404, 'restricted stranger': 404, 'public-only token': 403 },
  },
  {
    what: 'private organization',
    names: ({ teams }) => ({ org: 'secret', id: teams.secret }),
    hidden: true,
    answers: {
      anonymous: 404,
      stranger: 404,
      'restricted stranger': 404,
      member: 404,
      'team reader': 404,
      'administrator as the stranger': 404,
      'token without organization': 403,
      'public-only token': 403,
    },
  },
];

/** At an organization, or a team: whoever has rights in one is a stranger in another. */
export function here(row: Row): Row {
  const { policy, others = [] } = row;
  const { stranger } = policy.answers;
  const elsewhere: Other = {
    what: 'another organization',
    names: ({ teams }) => ({ org: 'rivals', id: teams.rivals }),
    answers: { member: stranger, 'team reader': stranger, owner: stranger },
  };
  return { ...row, others: [...others, ...hidden, ...(stranger === 'success' ? [] : [elsewhere])] };
}

/** As `here`, at the team `readers` and, where the path names a user, the one in it. */
export const team = (row: Row): Row =>
  here({ ...row, names: ({ teams }) => ({ id: teams.readers, username: 'reader' }) });

/** As `here`, at a label of `acme`. */
const label = (row: Row): Row =>
  here({
    ...row,
    names: ({ labels }) => ({ id: labels.acme }),
    elsewhere: { id: ({ labels }) => labels.rivals },
  });

async function freshOrganization({ make, unique }: World) {
  const org = unique();
  await make('POST', '/admin/users/owner/orgs', { username: org });
  return { org };
}

/** A user who is in a team of `acme`. */
async function freshMember({ api, make, unique, teams }: World) {
  const { username } = await api.createUser(unique());
  await make('PUT', `/teams/${teams.writers}/members/${username}`);
  return { username };
}

async function freshTeam({ make, unique }: World) {
  const { id } = await make<{ id: number }>('POST', '/orgs/acme/teams', { ...READS_CODE, name: unique() });
  return { id, username: 'member' };
}

async function freshTeamMember(world: World) {
  const names = await freshTeam(world);
  await world.make('PUT', `/teams/${names.id}/members/${names.username}`);
  return names;
}

const concealedMember = { what: 'concealed member', names: () => ({ username: 'reader' }) };

const notMember: Other = { what: 'user who is no member', names: () => ({ username: 'stranger' }) };

const notInTeam: Other = { what: 'user of another team', names: () => ({ username: 'member' }) };

/** That a user is not there is told to members alone. */
const toMembers: Row['absent'] = {
  username: {
    anonymous: 401,
    stranger: 403,
    member: 404,
    'team reader': 404,
    owner: 404,
    administrator: 404,
  },
};

export const organizationRows: Rows = {
  orgGetAll: { policy: anybody },
  adminGetAllOrgs: { policy: siteAdministrators },
  orgCreate: { policy: signedIn, body: (username) => ({ username }) },
  adminCreateOrg: { policy: siteAdministrators, body: (username) => ({ username }) },
  orgGet: here({ policy: anybodyHere }),
  orgEdit: here({ policy: organizationOwners, body: () => ({ description: 'changed' }) }),
  orgDelete: here({ policy: organizationOwners, fresh: freshOrganization }),

  orgListMembers: here({ policy: signedInHere }),
  orgIsMember: here({
    policy: signedInHere,
    others: [
      {
        ...concealedMember,
        answers: { anonymous: 401, stranger: 404, member: 'success', administrator: 'success' },
      },
      notMember,
    ],
  }),
  orgDeleteMember: here({ policy: organizationOwners, fresh: freshMember }),
  orgListPublicMembers: here({ policy: anybodyHere }),
  orgIsPublicMember: here({ policy: anybodyHere, others: [concealedMember, notMember] }),
  orgPublicizeMember: here({ policy: memberAlone, absent: toMembers }),
  orgConcealMember: here({
    policy: teamReaderAlone,
    names: () => ({ username: 'reader' }),
    absent: toMembers,
  }),

  orgListCurrentUserOrgs: { policy: signedIn },
  orgListUserOrgs: { policy: signedIn, others: [hiddenUser(401)] },
  orgGetUserPermissions: {
    policy: unseenByRestricted(signedIn),
    others: [
      hiddenUser(401),
      {
        what: 'organization that the user may not know of',
        names: () => ({ org: 'secret' }),
        answers: { anonymous: 401, stranger: 404, owner: 404, administrator: 404, 'public-only token': 403 },
      },
    ],
  },
  userListTeams: { policy: signedIn },

  orgListTeams: here({ policy: organizationMembers }),
  teamSearch: here({ policy: organizationMembers }),
  orgCreateTeam: here({ policy: organizationOwners, body: (name) => ({ ...READS_CODE, name }) }),
  orgGetTeam: team({ policy: teamReaders }),
  orgEditTeam: team({ policy: teamOwners, body: () => ({ description: 'changed' }) }),
  orgDeleteTeam: team({ policy: teamOwners, fresh: freshTeam }),
  orgListTeamMembers: team({ policy: teamReaders }),
  orgListTeamMember: team({ policy: teamReaders, others: [notInTeam] }),
  orgAddTeamMember: team({ policy: teamOwners, fresh: freshTeam }),
  orgRemoveTeamMember: team({ policy: teamOwners, fresh: freshTeamMember }),

  orgListLabels: here({ policy: anybodyHere }),
  orgCreateLabel: here({ policy: organizationOwners, body: () => LABEL }),
  orgGetLabel: label({ policy: signedInHere }),
  orgEditLabel: label({ policy: organizationOwners, body: () => ({ color: '00ff00' }) }),
  orgDeleteLabel: label({
    policy: organizationOwners,
    fresh: async ({ make }) => ({ id: await addLabel(make, 'acme') }),
    absent: {
      id: { anonymous: 401, stranger: 403, member: 403, owner: 'success', administrator: 'success' },
    },
  }),

  orgGetQuota: here({ policy: organizationOwners }),
  orgListQuotaAttachments: here({ policy: organizationOwners }),
  orgListQuotaPackages: here({ policy: organizationOwners }),
  orgListQuotaArtifacts: here({ policy: organizationOwners }),
  orgCheckQuota: here({ policy: organizationOwners, query: '?subject=size:all' }),
  orgExplainQuota: here({ policy: organizationOwners, query: '?subject=size:all' }),
};
