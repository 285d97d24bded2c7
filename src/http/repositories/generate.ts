import { z } from 'zod';
import { createdBefore, createRepository } from '../../commands/repositories/create-repository.js';
import { existing } from '../../commands/repositories/existing.js';
import { nothingAt } from '../../commands/repositories/initial-content.js';
import type { CreatedRepository, Fill } from '../../commands/repositories/new-repository.js';
import { templateContent } from '../../commands/repositories/template-content.js';
import type { Queryable } from '../../database/queryable.js';
import { DomainError, invalid } from '../../domain/errors.js';
import { RepositoryLabels } from '../../domain/issues/repository-labels.js';
import type { LabelFacts } from '../../domain/labels/label.js';
import { rankOf } from '../../domain/organizations/team-access.js';
import { checkBranchName, checkRepositoryName } from '../../domain/repositories/names.js';
import type { Extras } from '../../domain/repositories/lifecycle.js';
import type { RepositoryState } from '../../domain/repositories/repository.js';
import { BRANCHES } from '../../domain/repositories/refs.js';
import { defaultSettings } from '../../domain/repositories/settings.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';
import { findStanding } from '../../queries/organizations/organizations.js';
import { usersKnown } from '../../queries/repositories/branch-protections.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import { accountAbsent } from '../accounts/absent.js';
import { isKnown, knowerOf } from '../accounts/visibility.js';
import { signedInHere } from '../access.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { accountNamed } from '../find.js';
import { refuseNarrowToken } from '../public-only.js';
import { Refused } from '../refused.js';
import { route } from '../route.js';
import { atMost, optional, orNothing, problem, requiredText } from '../schema.js';
import { codeReader } from './access.js';
import { listedIn } from './branch-protections/presenter.js';
import { signatureOf } from './content/identities.js';
import { letInto, owningMore, presentCreated, refusals } from './owning.js';
import { visibilityOf, wholeRepositoryAt, type RepositoryMet } from './place.js';
import { Repository } from './schema.js';

const flag = optional(z.boolean());

/** GenerateRepoOption: the parts of the template to copy. Hooks and avatars are accepted, but there are none to copy. */
const GenerateBody = z
  .object({
    owner: requiredText,
    name: requiredText,
    description: optional(atMost(2048)),
    private: flag,
    default_branch: orNothing(z.string()),
    git_content: flag,
    topics: flag,
    protected_branch: flag,
    labels: flag,
    git_hooks: flag,
    webhooks: flag,
    avatar: flag,
  })
  .meta({ id: 'GenerateRepoOption' });

type Request = Pick<Actions, 'context' | 'db' | 'now' | 'services' | 'wrote'> & {
  readonly caller: Principal;
  readonly parent: RepositoryMet<RepositoryRow>;
  readonly body: z.output<typeof GenerateBody>;
};

/** Finds the owner of the new repository: the caller, or an organization in which the caller may create repositories. */
async function ownerNamed(db: Queryable, caller: Principal, name: string): Promise<AccountRow> {
  const owner = await accountNamed(db, name);
  if (!owner) throw accountAbsent();
  if (owner.id === caller.accountId || caller.isAdmin) return owner;
  const { rank, can_create_repositories } = await findStanding(db, owner.id, caller.accountId);
  if (rank === rankOf('owner') || can_create_repositories) return owner;
  if (rank === null && !(await isKnown(db, owner, caller))) throw accountAbsent();
  throw new Refused(403, 'you may not create repositories there');
}

/** Prepares the content: the template's files as one commit by the caller, or nothing. */
async function filling(request: Request, { settings, refs }: RepositoryState, branch: string): Promise<Fill> {
  const { parent, body, services } = request;
  const { git } = services;
  const templateId = parent.repository.id;
  const commit = refs.get(BRANCHES + settings.defaultBranch);
  if (!body.git_content || commit === undefined) return nothingAt(git, branch);
  const author = await signatureOf(request);
  return templateContent(git, { templateId, commit, defaultBranch: branch, author });
}

/**
 * Collects what is copied besides the files. Rules lose the users that the caller may not know of and, for another owner,
 * their teams, which are of the template's.
 */
async function extras(
  { body, caller, db }: Request,
  template: RepositoryState,
  ownerId: number,
): Promise<Extras> {
  const withoutTeams = ownerId === template.ownerId ? {} : noTeams;
  const rules = body.protected_branch ? template.branchProtections : [];
  const known = await usersKnown(db, listedIn(rules).userIds, knowerOf(caller));
  const ofKnown = (userIds: readonly number[]) => userIds.filter((id) => known.has(id));
  return {
    ...(body.topics && { topics: template.topics }),
    branchProtections: rules.map((rule) => ({
      ruleName: rule.ruleName,
      changes: {
        ...rule,
        pushWhitelistUserIds: ofKnown(rule.pushWhitelistUserIds),
        mergeWhitelistUserIds: ofKnown(rule.mergeWhitelistUserIds),
        approvalsWhitelistUserIds: ofKnown(rule.approvalsWhitelistUserIds),
        ...withoutTeams,
      },
    })),
  };
}

/** Returns the template's labels; none if the caller may not see them. */
async function labelsTaken({ parent, body, services }: Request): Promise<LabelFacts[]> {
  if (!body.labels || parent.units['repo.issues'] < rankOf('read')) return [];
  const { state } = await services.commands.load(RepositoryLabels, parent.repository.id);
  return [...state.labels.sortBy((_, labelId) => labelId).values()];
}

const noTeams = { pushWhitelistTeamIds: [], mergeWhitelistTeamIds: [], approvalsWhitelistTeamIds: [] };

async function generate(request: Request): Promise<CreatedRepository> {
  const { parent, body, caller, context, db, services } = request;
  codeReader.admit(caller, { params: {}, parent });
  const template = await existing(services, parent.repository.id);
  if (!template.settings.isTemplate)
    throw new DomainError('invalid', 'template.none', 'the repository is no template');
  const { owner, name, description = '', private: isPrivate = false, default_branch, ...items } = body;
  if (!Object.values(items).some((item) => item === true))
    throw invalid('template.nothing', 'GitContent', 'something of the template must be taken');
  checkRepositoryName(name);
  if (default_branch !== undefined) checkBranchName(default_branch, 'DefaultBranch');
  const branch = default_branch ?? parent.repository.default_branch; // that of a push may be longer
  const account = await ownerNamed(db, caller, owner);
  const { id: ownerId } = account;
  refuseNarrowToken(visibilityOf({ is_private: isPrivate, owner: account }), caller);
  const repository = {
    ownerId,
    creatorId: caller.accountId,
    templateId: parent.repository.id,
    name,
    isPrivate,
    settings: { ...defaultSettings, description, defaultBranch: branch },
    labels: await labelsTaken(request),
    extras: await extras(request, template, ownerId),
    ...(await letInto(db, ownerId, caller)),
  };
  const fill = await filling(request, template, branch);
  try {
    return await owningMore(request, ownerId, () => createRepository(services, repository, fill, context));
  } catch (error) {
    // A deletion of the template takes its files away at any moment, and fails whatever reads them then.
    await existing(services, parent.repository.id);
    throw error;
  }
}

export const generateRoutes = [
  route({
    id: 'generateRepo',
    method: 'POST',
    path: '/repos/{owner}/{repo}/generate',
    access: signedInHere,
    scope: 'repository',
    parent: wholeRepositoryAt,
    body: GenerateBody,
    answers: { 201: Repository, 404: problem, ...refusals },
    async handle(request) {
      const before = await createdBefore(request.services, request.context); // its template may be none any more
      return presentCreated(request, before ?? (await generate(request)));
    },
  }),
];
