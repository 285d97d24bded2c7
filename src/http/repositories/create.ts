import type { z } from 'zod';
import { createRepository } from '../../commands/repositories/create-repository.js';
import { firstCommit, nothingAt } from '../../commands/repositories/initial-content.js';
import type { Fill } from '../../commands/repositories/new-repository.js';
import { invalid } from '../../domain/errors.js';
import { checkBranchName, checkRepositoryName } from '../../domain/repositories/names.js';
import { DEFAULT_BRANCH, defaultSettings } from '../../domain/repositories/settings.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';
import { findStanding, type OrganizationRow } from '../../queries/organizations/organizations.js';
import { findLabelSet } from '../../templates/label-sets.js';
import { checkLabelSet, initialFiles } from '../../templates/templates.js';
import { accessWhere, signedIn, siteAdministrator } from '../access.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { ownAccount } from '../find.js';
import { isOwner, organizationAt, organizationNamed } from '../organizations/place.js';
import { refuseNarrowToken } from '../public-only.js';
import { signInRequired } from '../refused.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { signatureOf } from './content/identities.js';
import { letInto, owningMore, presentCreated, refusals } from './owning.js';
import { visibilityOf } from './place.js';
import { CreateRepositoryBody, Repository } from './schema.js';

type Body = z.output<typeof CreateRepositoryBody>;
type Create = Pick<Actions, 'context' | 'db' | 'now' | 'services' | 'wrote'> & {
  readonly caller: Principal;
  readonly body: Body;
};

const trustModels = new Set(['default', 'collaborator', 'committer', 'collaboratorcommitter']);

/** Creates a repository for an owner. A caller who would not administer it becomes an administrator as collaborator. */
async function create(request: Create, owner: AccountRow) {
  const { body, caller, context, db, services } = request;
  refuseNarrowToken(visibilityOf({ is_private: body.private ?? false, owner }), caller);
  const { name, description = '', template = false, trust_model: trust = '' } = body;
  const { default_branch: defaultBranch = DEFAULT_BRANCH, issue_labels: labelSet = '' } = body;
  checkRepositoryName(name);
  checkBranchName(defaultBranch, 'DefaultBranch');
  if ((body.object_format_name ?? 'sha1') !== 'sha1')
    throw invalid('repository.object_format', 'ObjectFormatName', 'sha1 is the one format there is');
  if (labelSet !== '') checkLabelSet(labelSet);
  const fill = await filling(request, owner, defaultBranch);
  const repository = {
    ownerId: owner.id,
    creatorId: caller.accountId,
    name,
    isPrivate: body.private ?? false,
    trustModel: trustModels.has(trust) ? trust : 'default',
    settings: { ...defaultSettings, description, isTemplate: template, defaultBranch },
    labels: findLabelSet(labelSet) ?? [],
    ...(await letInto(db, owner.id, caller)),
  };
  const created = await owningMore(request, owner.id, () =>
    createRepository(services, repository, fill, context),
  );
  return presentCreated(request, created);
}

/** Prepares the content: nothing, or a first commit by the caller. Throws 422 for unknown templates. */
async function filling(request: Create, owner: AccountRow, defaultBranch: string): Promise<Fill> {
  const { body, services } = request;
  if (!body.auto_init) return nothingAt(services.git, defaultBranch);
  const author = await signatureOf(request);
  const files = initialFiles({
    name: body.name,
    description: body.description ?? '',
    owner: owner.name ?? '',
    email: author.email,
    year: author.at.slice(0, 4),
    readme: body.readme ?? '',
    gitignores: body.gitignores ?? '',
    license: body.license ?? '',
  });
  return firstCommit(services.git, defaultBranch, files, author);
}

interface Home {
  readonly organization: OrganizationRow;
  readonly callerMayCreate: boolean;
}

type HomePath = Parameters<typeof organizationAt>[0];

async function homeAt(path: HomePath): Promise<Home> {
  const { db, caller } = path;
  const organization = await organizationAt(path);
  if (!caller || caller.isAdmin || isOwner(organization))
    return { organization, callerMayCreate: caller !== undefined };
  const { can_create_repositories } = await findStanding(db, organization.id, caller.accountId);
  return { organization, callerMayCreate: can_create_repositories };
}

/** As `homeAt`, for the older path, which is 422 if the organization does not exist or is a user; for callers alone. */
async function homeThatIs(path: HomePath): Promise<Home> {
  const { org } = path.params;
  if (!path.caller) throw signInRequired();
  if (!(await organizationNamed(path.db, org, path.caller)))
    throw invalid('organization.absent', 'Org', 'no such organization');
  return homeAt(path);
}

const repositoryCreator = accessWhere<Home>(
  'owner of the organization, member of a team that may create repositories, or site administrator',
  'you may not create repositories in the organization',
  (_, { parent }) => parent.callerMayCreate,
);

export const createRepositoryRoutes = [
  route({
    id: 'createCurrentUserRepo',
    method: 'POST',
    path: '/user/repos',
    access: signedIn,
    scope: ['user', 'repository'],
    body: CreateRepositoryBody,
    answers: { 201: Repository, ...refusals },
    handle: async (request) => create(request, await ownAccount(request.db, request.caller)),
  }),

  route({
    id: 'createOrgRepo',
    method: 'POST',
    path: '/org/{org}/repos',
    access: repositoryCreator,
    scope: ['organization', 'repository'],
    parent: homeThatIs,
    body: CreateRepositoryBody,
    answers: { 201: Repository, 404: problem, ...refusals },
    handle: (request) => create(request, request.parent.organization),
  }),

  route({
    id: 'orgCreateRepo',
    method: 'POST',
    path: '/orgs/{org}/repos',
    access: repositoryCreator,
    scope: 'organization',
    parent: homeAt,
    body: CreateRepositoryBody,
    answers: { 201: Repository, 404: problem, ...refusals },
    handle: (request) => create(request, request.parent.organization),
  }),

  route({
    id: 'adminCreateRepo',
    method: 'POST',
    path: '/admin/users/{username}/repos',
    access: siteAdministrator,
    scope: 'admin',
    parent: ({ find, params }) => find.account(params.username),
    body: CreateRepositoryBody,
    answers: { 201: Repository, 404: problem, ...refusals },
    handle: (request) => create(request, request.parent),
  }),
];
