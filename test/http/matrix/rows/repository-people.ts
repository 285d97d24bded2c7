import { newKey } from '../../../support/public-keys.js';
import { addDeployKey, ELSEWHERE } from '../furnish.js';
import type { Sender } from '../everybody.js';
import {
  anybody,
  anybodyHere,
  memberAlone,
  organizationMembers,
  organizationOwners,
  repositoryWriters,
  signedInHere,
  teamReaders,
  teamRepositoryOwners,
} from '../policy.js';
import type { Row, Rows } from '../row.js';
import type { World } from '../world.js';
import { team } from './organizations.js';
import { asAdministrator, freshRepository, repository } from './repositories.js';

const CODE = '/repos/acme/code';

/** For the administrators of a repository alone. */
const administrators = (row: Omit<Row, 'policy'> = {}): Row =>
  repository({ policy: organizationOwners, ...row });

/** That there is no such user is told to the repository's administrators, and is what is wrong with the request. */
const nobody: Row['absent'] = {
  collaborator: { anonymous: 401, stranger: 403, 'team reader': 403, owner: 422, administrator: 422 },
};

const freshUser = async ({ api, unique }: World) => ({
  collaborator: (await api.createUser(unique())).username,
});

async function freshCollaborator(world: World) {
  const names = await freshUser(world);
  await world.make('PUT', `${CODE}/collaborators/${names.collaborator}`);
  return names;
}

async function freshTopic({ make, unique }: World) {
  const topic = unique();
  await make('PUT', `${CODE}/topics/${topic}`);
  return { topic };
}

const freshDeployKey = async ({ make }: World) => ({ id: await addDeployKey(make) });

async function freshRule({ make, unique }: World) {
  const rule = unique();
  await make('POST', `${CODE}/branch_protections`, { rule_name: rule });
  return { rule };
}

const named = () => ELSEWHERE;

/** Others are of another repository, and the team of another organization. */
const key: Omit<Row, 'policy'> = {
  names: ({ deployKey }) => ({ id: deployKey }),
  elsewhere: { id: ({ elsewhere }) => elsewhere.deployKey },
};
const rule: Omit<Row, 'policy'> = { names: () => ({ rule: 'guarded' }), elsewhere: { rule: named } };
const readers: Omit<Row, 'policy'> = { names: () => ({ team: 'readers' }), elsewhere: { team: named } };

/** Offered to the member. */
async function freshOffer(world: World) {
  const names = await freshRepository(world);
  await world.make('POST', `/repos/acme/${names.repo}/transfer?sudo=owner`, { new_owner: 'member' });
  return names;
}

/** With the name of whoever is to own what is generated. */
async function freshTemplate({ make, unique }: World, caller: Sender) {
  const repo = unique();
  await make('POST', '/orgs/acme/repos', { name: repo, auto_init: true, template: true });
  const { json } = await caller.send('GET', '/user');
  return { repo, login: (json as { login: string }).login };
}

async function freshTeamRepository(world: World) {
  const names = await freshRepository(world);
  await world.make('PUT', `/teams/${world.teams.readers}/repos/acme/${names.repo}`);
  return names;
}

/** Whoever is in the team is told that a repository is not there before anything is said of rights. */
const toTeam = { anonymous: 401, stranger: 404, member: 403, 'team reader': 404, owner: 404 } as const;
const absentToTeam: Row['absent'] = { org: toTeam, repo: toTeam };

const template = (name: string): Row => ({ policy: anybody, names: () => ({ name }) });

export const repositoryPeopleRows: Rows = {
  repoListCollaborators: repository({ policy: signedInHere }),
  repoCheckCollaborator: repository({ policy: signedInHere, names: () => ({ collaborator: 'member' }) }),
  repoAddCollaborator: administrators({
    names: () => ({ collaborator: 'hidden' }),
    fresh: freshUser,
    body: () => ({ permission: 'read' }),
    others: [asAdministrator('success')],
    absent: nobody,
  }),
  repoDeleteCollaborator: administrators({
    names: () => ({ collaborator: 'hidden' }),
    fresh: freshCollaborator,
    others: [asAdministrator('success')],
    absent: nobody,
  }),
  repoGetRepoPermissions: repository({
    policy: repositoryWriters,
    names: () => ({ collaborator: 'member' }),
    absent: {
      collaborator: { anonymous: 401, stranger: 403, member: 403, owner: 404, administrator: 404 },
    },
  }),
  repoGetAssignees: repository({ policy: signedInHere }),

  repoListTeams: repository({ policy: organizationMembers }),
  repoCheckTeam: repository({ policy: organizationMembers, ...readers, names: () => ({ team: 'owners' }) }),
  repoAddTeam: administrators({
    ...readers,
    fresh: freshRepository,
    others: [asAdministrator(403)],
  }),
  repoDeleteTeam: administrators({
    ...readers,
    fresh: freshTeamRepository,
    others: [asAdministrator(403)],
  }),

  repoGetCombinedStatusByRef: repository({ policy: anybodyHere, names: () => ({ ref: 'main' }) }),
  repoGetCombinedStatus: repository({ policy: anybodyHere, names: () => ({ ref: 'main' }) }),
  repoListStatuses: repository({ policy: anybodyHere, names: () => ({ sha: 'main' }) }),
  repoCreateStatus: repository({
    policy: repositoryWriters,
    names: () => ({ sha: 'main' }),
    body: (context) => ({ state: 'success', context }),
  }),

  listForks: repository({ policy: anybodyHere }),
  createFork: repository({ policy: signedInHere, fresh: freshRepository, body: (name) => ({ name }) }),
  generateRepo: repository({
    policy: signedInHere,
    fresh: freshTemplate,
    body: (name, { login }) => ({ owner: login, name, git_content: true }),
  }),

  repoTransfer: administrators({
    fresh: freshRepository,
    body: () => ({ new_owner: 'rivals' }),
    others: [asAdministrator(403)],
  }),
  acceptRepoTransfer: repository({
    policy: memberAlone,
    names: () => ({ repo: 'offered' }),
    fresh: freshOffer,
  }),
  rejectRepoTransfer: repository({
    policy: repositoryWriters,
    names: () => ({ repo: 'offered' }),
    fresh: freshOffer,
  }),

  repoListTopics: repository({ policy: anybodyHere }),
  repoUpdateTopics: administrators({
    body: (topic) => ({ topics: [topic] }),
    others: [asAdministrator('success')],
  }),
  repoAddTopic: administrators({
    names: () => ({ topic: 'graphs' }),
    others: [asAdministrator('success')],
    absent: { topic: { anonymous: 401, stranger: 403 } },
  }),
  repoDeleteTopic: administrators({
    names: () => ({ topic: 'graphs' }),
    elsewhere: { topic: named },
    fresh: freshTopic,
  }),
  topicSearch: { policy: anybody },

  repoListKeys: administrators({ others: [asAdministrator('success')] }),
  repoCreateKey: administrators({
    body: (title) => ({ title, key: newKey() }),
    others: [asAdministrator('success')],
  }),
  repoGetKey: administrators(key),
  repoDeleteKey: administrators({ ...key, fresh: freshDeployKey }),

  repoListBranchProtection: administrators({ others: [asAdministrator('success')] }),
  repoCreateBranchProtection: administrators({
    body: (rule_name) => ({ rule_name }),
    others: [asAdministrator('success')],
  }),
  repoGetBranchProtection: administrators(rule),
  repoEditBranchProtection: administrators({
    ...rule,
    fresh: freshRule,
    body: () => ({ enable_push: true }),
  }),
  repoDeleteBranchProtection: administrators({ ...rule, fresh: freshRule }),

  orgListTeamRepos: team({ policy: teamReaders }),
  orgListTeamRepo: team({ policy: teamReaders }),
  orgAddTeamRepository: team({
    policy: teamRepositoryOwners,
    fresh: freshRepository,
    absent: absentToTeam,
  }),
  orgRemoveTeamRepository: team({
    policy: teamRepositoryOwners,
    fresh: freshTeamRepository,
    absent: absentToTeam,
  }),

  listGitignoresTemplates: { policy: anybody },
  getGitignoreTemplateInfo: template('Node'),
  listLicenseTemplates: { policy: anybody },
  getLicenseTemplateInfo: template('MIT'),
  listLabelTemplates: { policy: anybody },
  getLabelTemplateInfo: template('Default'),
};
