import { z } from 'zod';
import type { Queryable } from '../../database/database.js';
import { defined } from '../../defined.js';
import { invalid, notFound } from '../../domain/errors.js';
import type { BranchProtection } from '../../domain/repositories/branch-protection.js';
import type { ProtectionChanges } from '../../domain/repositories/branch-protections.js';
import { isGlob } from '../../domain/repositories/glob.js';
import { Repository } from '../../domain/repositories/repository.js';
import {
  findBranchProtection,
  listBranchProtections,
  namesOf,
  teamsNamed,
  usersNamed,
  type NamedIds,
} from '../../queries/repositories/branch-protections.js';
import type { RepositoryBrief } from '../../queries/repositories/repositories.js';
import { timeText } from '../accounts/presenter.js';
import { pageReply, PageQuery } from '../paging.js';
import { route } from '../route.js';
import { atMost, nothing, optional, problem, shownTime } from '../schema.js';
import { repositoryAdministrator } from './access.js';
import { mayName, type Naming } from './people.js';
import { repositoryAt } from './place.js';
import { RepositoryParams } from './schema.js';

const RuleParams = RepositoryParams.extend({ rule: z.string() });

const names = optional(z.array(z.string()).max(1_000));
/** None of a status is longer. */
const contexts = optional(z.array(atMost(255)).max(1_000));
const patterns = optional(atMost(1_024));
const flag = optional(z.boolean());

/** EditBranchProtectionOption: what is absent stays. */
const EditBranchProtectionBody = z
  .object({
    enable_push: flag,
    enable_push_whitelist: flag,
    push_whitelist_usernames: names,
    push_whitelist_teams: names,
    push_whitelist_deploy_keys: flag,
    enable_merge_whitelist: flag,
    merge_whitelist_usernames: names,
    merge_whitelist_teams: names,
    enable_status_check: flag,
    status_check_contexts: contexts,
    required_approvals: optional(z.int().min(0).max(1_000)),
    enable_approvals_whitelist: flag,
    approvals_whitelist_username: names,
    approvals_whitelist_teams: names,
    block_on_rejected_reviews: flag,
    block_on_official_review_requests: flag,
    block_on_outdated_branch: flag,
    dismiss_stale_approvals: flag,
    ignore_stale_approvals: flag,
    require_signed_commits: flag,
    protected_file_patterns: patterns,
    unprotected_file_patterns: patterns,
    apply_to_admins: flag,
  })
  .meta({ id: 'EditBranchProtectionOption' });

/** CreateBranchProtectionOption; `branch_name` is the name that `rule_name` had before. */
const CreateBranchProtectionBody = EditBranchProtectionBody.extend({
  rule_name: optional(z.string()),
  branch_name: optional(z.string()),
}).meta({ id: 'CreateBranchProtectionOption' });

const Presented = z
  .object({
    branch_name: z.string(),
    rule_name: z.string(),
    enable_push: z.boolean(),
    enable_push_whitelist: z.boolean(),
    push_whitelist_usernames: z.array(z.string()),
    push_whitelist_teams: z.array(z.string()),
    push_whitelist_deploy_keys: z.boolean(),
    enable_merge_whitelist: z.boolean(),
    merge_whitelist_usernames: z.array(z.string()),
    merge_whitelist_teams: z.array(z.string()),
    enable_status_check: z.boolean(),
    status_check_contexts: z.array(z.string()),
    required_approvals: z.int(),
    enable_approvals_whitelist: z.boolean(),
    approvals_whitelist_username: z.array(z.string()),
    approvals_whitelist_teams: z.array(z.string()),
    block_on_rejected_reviews: z.boolean(),
    block_on_official_review_requests: z.boolean(),
    block_on_outdated_branch: z.boolean(),
    dismiss_stale_approvals: z.boolean(),
    ignore_stale_approvals: z.boolean(),
    require_signed_commits: z.boolean(),
    protected_file_patterns: z.string(),
    unprotected_file_patterns: z.string(),
    apply_to_admins: z.boolean(),
    created_at: shownTime,
    updated_at: shownTime,
  })
  .meta({ id: 'BranchProtection' });

/**
 * What a body says of a rule, with users and teams found by name. Refuses as `invalid` names that nobody has, and those of
 * users whom the caller may not know of.
 */
async function asked(
  place: Naming,
  body: z.output<typeof EditBranchProtectionBody>,
): Promise<ProtectionChanges> {
  const { db, parent } = place;
  const users = idsOf('user', async (lowerNames) => {
    const found = await usersNamed(db, lowerNames);
    const named = await Promise.all(found.map((account) => mayName(place, account)));
    return found
      .filter((_, index) => named[index])
      .map(({ id, lower_name }) => ({ id, name: lower_name ?? '' }));
  });
  const teams = idsOf('team', (lowerNames) => teamsNamed(db, parent.repository.owner_id, lowerNames));
  const changes = {
    enablePush: body.enable_push,
    enablePushWhitelist: body.enable_push_whitelist,
    pushWhitelistUserIds: await users(body.push_whitelist_usernames, 'PushWhitelistUsernames'),
    pushWhitelistTeamIds: await teams(body.push_whitelist_teams, 'PushWhitelistTeams'),
    pushWhitelistDeployKeys: body.push_whitelist_deploy_keys,
    enableMergeWhitelist: body.enable_merge_whitelist,
    mergeWhitelistUserIds: await users(body.merge_whitelist_usernames, 'MergeWhitelistUsernames'),
    mergeWhitelistTeamIds: await teams(body.merge_whitelist_teams, 'MergeWhitelistTeams'),
    enableStatusCheck: body.enable_status_check,
    statusCheckContexts: body.status_check_contexts,
    requiredApprovals: body.required_approvals,
    enableApprovalsWhitelist: body.enable_approvals_whitelist,
    approvalsWhitelistUserIds: await users(body.approvals_whitelist_username, 'ApprovalsWhitelistUsername'),
    approvalsWhitelistTeamIds: await teams(body.approvals_whitelist_teams, 'ApprovalsWhitelistTeams'),
    blockOnRejectedReviews: body.block_on_rejected_reviews,
    blockOnOfficialReviewRequests: body.block_on_official_review_requests,
    blockOnOutdatedBranch: body.block_on_outdated_branch,
    dismissStaleApprovals: body.dismiss_stale_approvals,
    ignoreStaleApprovals: body.ignore_stale_approvals,
    requireSignedCommits: body.require_signed_commits,
    protectedFilePatterns: body.protected_file_patterns,
    unprotectedFilePatterns: body.unprotected_file_patterns,
    applyToAdmins: body.apply_to_admins,
  };
  return defined(changes);
}

/** Turns names into ids, in any letter case and each once; undefined where there is no list. */
function idsOf(what: string, find: (lowerNames: readonly string[]) => Promise<NamedIds[]>) {
  return async (listed: readonly string[] | undefined, field: string): Promise<number[] | undefined> => {
    if (listed === undefined || listed.length === 0) return listed && [];
    const lowerNames = [...new Set(listed.map((name) => name.toLowerCase()))];
    const found = new Map((await find(lowerNames)).map(({ id, name }) => [name, id]));
    return lowerNames.map((name) => {
      const id = found.get(name);
      if (id === undefined) throw invalid('branch_protection.unknown', field, `no such ${what}: ${name}`);
      return id;
    });
  };
}

/** Rules with the names that users and teams have today; those that are gone, and teams of an owner before, are left out. */
async function presentRules(
  db: Queryable,
  { owner_id: ownerId }: RepositoryBrief,
  rules: readonly BranchProtection[],
) {
  const { users, teams } = await namesOf(
    db,
    rules.flatMap((rule) => [
      ...rule.pushWhitelistUserIds,
      ...rule.mergeWhitelistUserIds,
      ...rule.approvalsWhitelistUserIds,
    ]),
    ownerId,
    rules.flatMap((rule) => [
      ...rule.pushWhitelistTeamIds,
      ...rule.mergeWhitelistTeamIds,
      ...rule.approvalsWhitelistTeamIds,
    ]),
  );
  const usersOf = (ids: readonly number[]) => ids.flatMap((id) => users.get(id) ?? []).sort();
  const teamsOf = (ids: readonly number[]) => ids.flatMap((id) => teams.get(id) ?? []).sort();
  return rules.map((rule) => ({
    branch_name: isGlob(rule.ruleName) ? '' : rule.ruleName,
    rule_name: rule.ruleName,
    enable_push: rule.enablePush,
    enable_push_whitelist: rule.enablePushWhitelist,
    push_whitelist_usernames: usersOf(rule.pushWhitelistUserIds),
    push_whitelist_teams: teamsOf(rule.pushWhitelistTeamIds),
    push_whitelist_deploy_keys: rule.pushWhitelistDeployKeys,
    enable_merge_whitelist: rule.enableMergeWhitelist,
    merge_whitelist_usernames: usersOf(rule.mergeWhitelistUserIds),
    merge_whitelist_teams: teamsOf(rule.mergeWhitelistTeamIds),
    enable_status_check: rule.enableStatusCheck,
    status_check_contexts: [...rule.statusCheckContexts],
    required_approvals: rule.requiredApprovals,
    enable_approvals_whitelist: rule.enableApprovalsWhitelist,
    approvals_whitelist_username: usersOf(rule.approvalsWhitelistUserIds),
    approvals_whitelist_teams: teamsOf(rule.approvalsWhitelistTeamIds),
    block_on_rejected_reviews: rule.blockOnRejectedReviews,
    block_on_official_review_requests: rule.blockOnOfficialReviewRequests,
    block_on_outdated_branch: rule.blockOnOutdatedBranch,
    dismiss_stale_approvals: rule.dismissStaleApprovals,
    ignore_stale_approvals: rule.ignoreStaleApprovals,
    require_signed_commits: rule.requireSignedCommits,
    protected_file_patterns: rule.protectedFilePatterns,
    unprotected_file_patterns: rule.unprotectedFilePatterns,
    apply_to_admins: rule.applyToAdmins,
    created_at: timeText(new Date(rule.createdAt)),
    updated_at: timeText(new Date(rule.updatedAt)),
  }));
}

const presentRule = async (db: Queryable, repository: RepositoryBrief, rule: BranchProtection) =>
  (await presentRules(db, repository, [rule]))[0];

const path = '/repos/{owner}/{repo}/branch_protections';
const rulePath = '/repos/{owner}/{repo}/branch_protections/{rule*}';
const refusals = { 401: problem, 403: problem, 404: problem };

/** The rule of that name; 404 where there is none. */
async function ruleAt(db: Queryable, repositoryId: number, name: string): Promise<BranchProtection> {
  const rule = await findBranchProtection(db, repositoryId, name);
  if (!rule) throw notFound('branch_protection.absent', 'no such rule');
  return rule;
}

export const branchProtectionRoutes = [
  route({
    id: 'repoListBranchProtection',
    method: 'GET',
    path,
    access: repositoryAdministrator,
    scope: 'repository',
    params: RepositoryParams,
    parent: repositoryAt,
    query: PageQuery,
    answers: { 200: z.array(Presented), ...refusals },
    async handle({ parent: { repository }, query, db, page, url }) {
      const part = page(query);
      const rules = await listBranchProtections(db, repository.id);
      const asked = rules.slice(part.offset, part.offset + part.limit);
      return pageReply(await presentRules(db, repository, asked), rules.length, part, url);
    },
  }),

  route({
    id: 'repoCreateBranchProtection',
    method: 'POST',
    path,
    access: repositoryAdministrator,
    scope: 'repository',
    params: RepositoryParams,
    parent: repositoryAt,
    body: CreateBranchProtectionBody,
    answers: { 201: Presented, 400: problem, ...refusals, 422: problem, 423: problem },
    async handle(request) {
      const { body, db, handle, now } = request;
      const { repository } = request.parent;
      const ruleName = [body.rule_name, body.branch_name].find((name) => name) ?? '';
      const changes = await asked(request, body);
      const data = { ruleName, changes, at: now() };
      const { events } = await handle(Repository, repository.id, { type: 'AddBranchProtection', data });
      const added = events.find((event) => event.type === 'BranchProtectionAdded');
      if (!added) throw new Error('no rule was added');
      return presentRule(db, repository, added.data.rule);
    },
  }),

  route({
    id: 'repoGetBranchProtection',
    method: 'GET',
    path: rulePath,
    access: repositoryAdministrator,
    scope: 'repository',
    params: RuleParams,
    parent: repositoryAt,
    answers: { 200: Presented, ...refusals },
    async handle({ parent: { repository }, params, db }) {
      return presentRule(db, repository, await ruleAt(db, repository.id, params.rule));
    },
  }),

  route({
    id: 'repoEditBranchProtection',
    method: 'PATCH',
    path: rulePath,
    access: repositoryAdministrator,
    scope: 'repository',
    params: RuleParams,
    parent: repositoryAt,
    exists: ({ parent, params, db }) => ruleAt(db, parent.repository.id, params.rule),
    body: EditBranchProtectionBody,
    answers: { 200: Presented, ...refusals, 422: problem, 423: problem },
    async handle(request) {
      const { params, body, db, handle, now, services } = request;
      const { repository } = request.parent;
      const { ruleName } = await ruleAt(db, repository.id, params.rule);
      const changes = await asked(request, body);
      const data = { ruleName, changes, at: now() };
      await handle(Repository, repository.id, { type: 'EditBranchProtection', data });
      const { branchProtections } = (await services.commands.load(Repository, repository.id)).state;
      const rule = branchProtections.find((known) => known.ruleName === ruleName);
      if (!rule) throw notFound('branch_protection.absent', 'no such rule');
      return presentRule(db, repository, rule);
    },
  }),

  route({
    id: 'repoDeleteBranchProtection',
    method: 'DELETE',
    path: rulePath,
    access: repositoryAdministrator,
    scope: 'repository',
    params: RuleParams,
    parent: repositoryAt,
    answers: { 204: nothing, ...refusals, 423: problem },
    async handle({ parent: { repository }, params, handle, now }) {
      const data = { ruleName: params.rule, at: now() };
      await handle(Repository, repository.id, { type: 'RemoveBranchProtection', data });
    },
  }),
];
