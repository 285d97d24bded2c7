import type { z } from 'zod';
import type { BranchProtection } from '../../../domain/repositories/branch-protection.js';
import { mayMerge, mayPush, protectionFor, type Pusher } from '../../../domain/repositories/branch-rules.js';
import { rankOf } from '../../../domain/organizations/team-access.js';
import type { CommitFacts, Signature } from '../../../git/port/objects.js';
import type { OwnerOf } from './owners.js';
import type { Branch, PayloadCommit } from './branch-schema.js';
import { timeOf } from './present-commit.js';
import type { RepositoryUrls } from './urls.js';
import type { Verify } from './verification.js';

/** What branches are presented with. */
export interface BranchView {
  readonly urls: RepositoryUrls;
  readonly ownerOf: OwnerOf;
  readonly verify: Verify;
  readonly rules: readonly BranchProtection[];
  /** The caller; undefined if it is anonymous. */
  readonly pusher: Pusher | undefined;
  /** The caller's rank in the repository. */
  readonly rank: number;
}

/** Presents a Branch. */
export function presentBranch(name: string, commit: CommitFacts, view: BranchView): z.output<typeof Branch> {
  const { rules, pusher, rank } = view;
  const rule = protectionFor(name, rules);
  return {
    name,
    commit: presentPayloadCommit(commit, view),
    protected: rule !== undefined,
    required_approvals: rule?.requiredApprovals ?? 0,
    enable_status_check: rule?.enableStatusCheck ?? false,
    status_check_contexts: [...(rule?.statusCheckContexts ?? [])],
    user_can_push: pusher !== undefined && (rule ? mayPush(rule, pusher) : pusher.writes),
    user_can_merge: pusher !== undefined && (rule ? mayMerge(rule, pusher) : pusher.writes),
    effective_branch_protection_name: rank >= rankOf('admin') ? (rule?.ruleName ?? '') : '',
  };
}

/** Presents a PayloadCommit. */
const presentPayloadCommit = (
  commit: CommitFacts,
  { urls, ownerOf, verify }: Pick<BranchView, 'urls' | 'ownerOf' | 'verify'>,
): z.output<typeof PayloadCommit> => ({
  id: commit.hash,
  message: commit.message,
  url: `${urls.html}/commit/${commit.hash}`,
  author: person(commit.author, ownerOf),
  committer: person(commit.committer, ownerOf),
  verification: verify(commit),
  timestamp: timeOf(commit.author),
  added: null,
  removed: null,
  modified: null,
});

const person = (signature: Signature, ownerOf: OwnerOf) => ({
  name: signature.name,
  email: signature.email,
  username: ownerOf(signature)?.name ?? '',
});
