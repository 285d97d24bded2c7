import type { Message } from '../decider.js';
import type { BranchProtection } from './branch-protection.js';
import type { RepositorySettings } from './settings.js';

/** What a collaborator may be given. */
export type CollaboratorPermission = 'read' | 'write' | 'admin';

/** A SHA-1 hash, 40 hex digits. */
export type Hash = string;

/** One ref that moved; `before` is null where it is new, `after` where it was deleted. */
export type RefUpdate = {
  readonly ref: string;
  readonly before: Hash | null;
  readonly after: Hash | null;
  /** Of the commit or annotated tag that it points to now, RFC 3339; null where it leads to no commit. */
  readonly committedAt: string | null;
  /** What was reachable before is not any more. */
  readonly forced?: boolean;
  /** The newest commits that the branch gained, newest first, at most 20 of `commitCount`. */
  readonly commits?: readonly Hash[];
  readonly commitCount?: number;
};

/** How a repository keeps up with another. */
export type Mirror = {
  /** Seconds; 0 where it is pulled by hand alone. */
  readonly intervalSeconds: number;
  readonly prune: boolean;
};

// Stored for good: fields may be added, never renamed or removed.
/** What happened to one repository, whichever part of it decided so. The stream's name says which repository. */
export type RepositoryEvent =
  | Message<
      'RepositoryCreated',
      {
        ownerId: number;
        creatorId: number;
        /** In the letters given; the claim is on the lower case. */
        name: string;
        isPrivate: boolean;
        objectFormat: 'sha1';
        trustModel: string;
        /** Nothing was put in: no branch yet. */
        empty: boolean;
        settings: RepositorySettings;
        /** The repository that it was forked from. */
        baseId?: number;
        /** The template that it was generated from. */
        templateId?: number;
        /** Where it was migrated from, without credentials. */
        originalUrl?: string;
        mirror?: Mirror;
        createdAt: string;
      }
    >
  | Message<
      'RepositoryEdited',
      { changes: Partial<RepositorySettings>; before: Partial<RepositorySettings>; editedAt: string }
    >
  | Message<'RepositoryRenamed', { ownerId: number; name: string; before: string; renamedAt: string }>
  | Message<'RepositoryVisibilityChanged', { ownerId: number; isPrivate: boolean; changedAt: string }>
  | Message<'RepositoryArchived', { archivedAt: string }>
  | Message<'RepositoryUnarchived', { unarchivedAt: string }>
  | Message<
      'RepositoryTransferRequested',
      { requesterId: number; recipientId: number; teamIds: readonly number[]; requestedAt: string }
    >
  | Message<'RepositoryTransferRejected', { recipientId: number; rejectedAt: string }>
  | Message<
      'RepositoryTransferred',
      {
        ownerId: number;
        previousOwnerId: number;
        name: string;
        teamIds: readonly number[];
        transferredAt: string;
      }
    >
  | Message<'RepositoryDetached', { baseId: number; detachedAt: string }>
  | Message<'RepositoryDeleted', { ownerId: number; name: string; baseId?: number; deletedAt: string }>
  /** The repository was never created, and never will be. */
  | Message<'RepositoryAbandoned', { abandonedAt: string }>
  /** The repository exists; a name that it claimed and did not come to may be another's. */
  | Message<'RepositoryClaimLost', { lostAt: string }>
  | Message<
      'RefsUpdated',
      {
        /** Null where nobody pushed: a mirror was pulled, a fork or a migration filled. */
        pusherId: number | null;
        /** The same in all rounds of one push. */
        pushId: string;
        updates: readonly RefUpdate[];
        /** Present where HEAD follows the first push. */
        defaultBranch?: string;
        /** Present where no branch is left. */
        empties?: true;
        updatedAt: string;
      }
    >
  | Message<'MirrorChanged', { mirror: Mirror | null; changedAt: string }>
  | Message<'MirrorPulled', { pulledAt: string }>
  /** `reason` is the code of a refusal; `mirror.failed` where it was nobody's fault but ours. */
  | Message<'MirrorPullFailed', { reason: string; failedAt: string }>
  | Message<'CollaboratorAdded', { accountId: number; permission: CollaboratorPermission; addedAt: string }>
  | Message<
      'CollaboratorChanged',
      {
        accountId: number;
        permission: CollaboratorPermission;
        before: CollaboratorPermission;
        changedAt: string;
      }
    >
  | Message<'CollaboratorRemoved', { accountId: number; removedAt: string }>
  | Message<'TopicsReplaced', { topics: readonly string[]; before: readonly string[]; replacedAt: string }>
  | Message<
      'DeployKeyAdded',
      {
        keyId: number;
        title: string;
        key: string;
        fingerprint: string;
        readOnly: boolean;
        addedBy: number;
        addedAt: string;
      }
    >
  | Message<'DeployKeyRemoved', { keyId: number; removedAt: string }>
  | Message<'BranchProtectionAdded', { rule: BranchProtection; addedAt: string }>
  | Message<'BranchProtectionEdited', { rule: BranchProtection; before: BranchProtection; editedAt: string }>
  | Message<'BranchProtectionRemoved', { ruleName: string; removedAt: string }>;
