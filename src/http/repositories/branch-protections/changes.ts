import type { z } from 'zod';
import { defined } from '../../../values/defined.js';
import { invalid } from '../../../domain/errors.js';
import type { ProtectionChanges } from '../../../domain/repositories/branch-protections.js';
import { teamsNamed, usersNamed, type NamedIds } from '../../../queries/repositories/branch-protections.js';
import { mayName } from '../people.js';
import type { RepositoryRequest } from '../place.js';
import type { EditBranchProtectionBody } from './schema.js';

/**
 * Returns the changes of a rule that a body asks for, with the ids of users and teams. Throws 422 for names that do not
 * exist, and for users whom the caller may not know of.
 */
export async function changesIn(
  request: RepositoryRequest,
  body: z.output<typeof EditBranchProtectionBody>,
): Promise<ProtectionChanges> {
  const { db, parent } = request;
  const users = idsOf('user', async (lowerNames) => {
    const found = await usersNamed(db, lowerNames);
    const named = await Promise.all(found.map((account) => mayName(request, account)));
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

/** Finds the ids of names in any letter case, each once; undefined if there is no list. */
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
