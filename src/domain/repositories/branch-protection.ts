/** A rule for the branches that its name matches. Accounts and teams are listed by id, which renaming does not change. */
export type BranchProtection = {
  /** The name of the rule: that of a branch, or a glob. */
  readonly ruleName: string;
  readonly enablePush: boolean;
  readonly enablePushWhitelist: boolean;
  readonly pushWhitelistUserIds: readonly number[];
  readonly pushWhitelistTeamIds: readonly number[];
  readonly pushWhitelistDeployKeys: boolean;
  readonly enableMergeWhitelist: boolean;
  readonly mergeWhitelistUserIds: readonly number[];
  readonly mergeWhitelistTeamIds: readonly number[];
  readonly enableStatusCheck: boolean;
  readonly statusCheckContexts: readonly string[];
  readonly requiredApprovals: number;
  readonly enableApprovalsWhitelist: boolean;
  readonly approvalsWhitelistUserIds: readonly number[];
  readonly approvalsWhitelistTeamIds: readonly number[];
  readonly blockOnRejectedReviews: boolean;
  readonly blockOnOfficialReviewRequests: boolean;
  readonly blockOnOutdatedBranch: boolean;
  readonly dismissStaleApprovals: boolean;
  readonly ignoreStaleApprovals: boolean;
  readonly requireSignedCommits: boolean;
  /** Globs, separated by `;`. */
  readonly protectedFilePatterns: string;
  readonly unprotectedFilePatterns: string;
  readonly applyToAdmins: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
};
