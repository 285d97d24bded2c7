import type { z } from 'zod';
import type { Queryable } from '../../../database/queryable.js';
import type { BranchProtection as Rule } from '../../../domain/repositories/branch-protection.js';
import { isGlob } from '../../../domain/repositories/glob.js';
import { namesOf } from '../../../queries/repositories/branch-protections.js';
import type { RepositoryBrief } from '../../../queries/repositories/repositories.js';
import { everybodyFor } from '../../accounts/visibility.js';
import { timeText } from '../../answers/time-text.js';
import type { Caller } from '../../caller.js';
import type { BranchProtection } from './schema.js';

/** Who is shown rules, and the read models. */
interface Viewing {
  readonly db: Queryable;
  readonly caller: Caller;
}

/**
 * Presents a repository's rules with the present names of users and teams. Deleted ones are left out, and so are teams of
 * a former owner, and users who are out of reach of the caller's token.
 */
export async function presentRules(
  { db, caller }: Viewing,
  { owner_id: organizationId }: RepositoryBrief,
  rules: readonly Rule[],
): Promise<PresentedRule[]> {
  const listed = { knower: everybodyFor(caller), organizationId, ...listedIn(rules) };
  const { users, teams } = await namesOf(db, listed);
  const usersOf = (ids: readonly number[]) => ids.flatMap((id) => users.get(id) ?? []).sort();
  const teamsOf = (ids: readonly number[]) => ids.flatMap((id) => teams.get(id) ?? []).sort();
  return rules.map((rule) => present(rule, usersOf, teamsOf));
}

/** As `presentRules`, for a single rule. */
export async function presentRule(
  viewing: Viewing,
  repository: RepositoryBrief,
  rule: Rule,
): Promise<PresentedRule | undefined> {
  const [presented] = await presentRules(viewing, repository, [rule]);
  return presented;
}

/** Collects the users and teams that the rules name. */
export const listedIn = (rules: readonly Rule[]) => ({
  userIds: rules.flatMap((rule) => [
    ...rule.pushWhitelistUserIds,
    ...rule.mergeWhitelistUserIds,
    ...rule.approvalsWhitelistUserIds,
  ]),
  teamIds: rules.flatMap((rule) => [
    ...rule.pushWhitelistTeamIds,
    ...rule.mergeWhitelistTeamIds,
    ...rule.approvalsWhitelistTeamIds,
  ]),
});

type PresentedRule = z.output<typeof BranchProtection>;
type NamesOf = (ids: readonly number[]) => string[];

const present = (rule: Rule, usersOf: NamesOf, teamsOf: NamesOf): PresentedRule => ({
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
});
