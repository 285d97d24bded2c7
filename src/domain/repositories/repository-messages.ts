import type { Message } from '../decider.js';
import type { BranchProtection } from './branch-protection.js';
import type { RepositorySettings } from './settings.js';

export const collaboratorPermissions = ['read', 'write', 'admin'] as const;
/** A permission that a collaborator can be given. */
export type CollaboratorPermission = (typeof collaboratorPermissions)[number];

/** A SHA-1 hash, 40 hex digits. */
export type Hash = string;

/** A ref that moved. `before` is null if it is new, `after` if it was deleted. */
export type RefUpdate = {
  readonly ref: string;
  readonly before: Hash | null;
  readonly after: Hash | null;
  /** The time of the commit or annotated tag that it points to now, RFC 3339; null if it leads to no commit. */
  readonly committedAt: string | null;
  /** The commit that a tag leads to, perhaps over annotated tags. Absent where there is none, and in older events. */
  readonly commit?: Hash;
  /** Whether commits that were reachable before are not any more. */
  readonly forced?: boolean;
  /** The newest commits that the branch gained, newest first, at most 20 of `commitCount`. */
  readonly commits?: readonly Hash[];
  readonly commitCount?: number;
  /**
   * For a new branch that gained more than `commits`: the commit from which those it gained cannot be reached, or null if
   * it gained its whole history. Absent in older events.
   */
  readonly since?: Hash | null;
};

/** How a repository follows its source. */
export type Mirror = {
  /** In seconds; 0 if it is only pulled on request. */
  readonly intervalSeconds: number;
  readonly prune: boolean;
};

// Stored for good: fields may be added, never renamed or removed.
/** The events of one repository, of all parts of the aggregate. The stream's name has the repository's id. */
export type RepositoryEvent =
  | Message<
      'RepositoryCreated',
      {
        ownerId: number;
        creatorId: number;
        /** In the given letter case; the claim is on the lower-case name. */
        name: string;
        isPrivate: boolean;
        objectFormat: 'sha1';
        trustModel: string;
        /** Whether it began without any branch. */
        empty: boolean;
        settings: RepositorySettings;
        /** The repository that it was forked from. */
        baseId?: number;
        /** The template that it was generated from. */
        templateId?: number;
        /** The address that it was migrated from, without credentials. */
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
  /** The repository does not exist, and can no longer be created. */
  | Message<'RepositoryAbandoned', { abandonedAt: string }>
  /** A name that the repository had claimed, but not recorded yet, may belong to another one now. */
  | Message<'RepositoryClaimLost', { lostAt: string }>
  | Message<
      'RefsUpdated',
      {
        /** Null if no account pushed: a mirror was pulled, or a fork or migration filled. */
        pusherId: number | null;
        /** The same in all events of one push. */
        pushId: string;
        updates: readonly RefUpdate[];
        /** The new default branch; present if HEAD follows a push. */
        defaultBranch?: string;
        /** Present if no branch is left. */
        empties?: true;
        updatedAt: string;
      }
    >
  | Message<'MirrorChanged', { mirror: Mirror | null; changedAt: string }>
  | Message<'MirrorPulled', { pulledAt: string }>
  /** `reason` is the code of the refusal, or `mirror.failed` for a fault of this server. */
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
