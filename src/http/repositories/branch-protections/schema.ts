import { z } from 'zod';
import { atMost, optional, shownTime } from '../../schema.js';

const names = optional(z.array(z.string()).max(1_000));
/** The contexts of statuses, none of which is longer. */
const contexts = optional(z.array(atMost(255)).max(1_000));
const patterns = optional(atMost(1_024));
const flag = optional(z.boolean());

/** EditBranchProtectionOption. Fields that are absent stay as they are. */
export const EditBranchProtectionBody = z
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

/** The name of a rule. No branch has a part `.` or `..`, and in an address such a part stands for another resource. */
const ruleName = z
  .string()
  .refine((name) => !/(^|\/)\.{1,2}(\/|$)/.test(name), 'must not have . or .. as a part');

/** CreateBranchProtectionOption; `branch_name` is the former name of `rule_name`. */
export const CreateBranchProtectionBody = EditBranchProtectionBody.extend({
  rule_name: optional(ruleName),
  branch_name: optional(ruleName),
}).meta({ id: 'CreateBranchProtectionOption' });

export const BranchProtection = z
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
