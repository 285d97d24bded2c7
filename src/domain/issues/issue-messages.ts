import type { Personal } from '../accounts/profile.js';
import type { Message } from '../decider.js';

/** The facts of an issue that are given when it is opened and can be changed later. */
export type IssueFacts = {
  readonly title: string;
  readonly body: string;
  /** The branch or tag that the issue is about; empty for none. */
  readonly ref: string;
  readonly assigneeIds: readonly number[];
  readonly milestoneId: number | null;
  /** The deadline, RFC 3339; null for none. */
  readonly dueAt: string | null;
};

/** The scopes of the exclusive labels among those that the issue may carry, by label id as text. */
export type ExclusiveScopes = Readonly<Record<string, string>>;

/** Refuses the command unless the stream is at one of these revisions. If absent, the last writer wins. */
type IfRevision = { readonly ifRevisions?: readonly number[] };

/**
 * What the issue names at a revision and what still exists: milestones, labels and accounts are deleted without an event
 * of the issue.
 */
export type Remaining = {
  readonly revision: number;
  readonly milestoneId: number | null;
  readonly assigneeIds: readonly number[];
  readonly labelIds: readonly number[];
};

/** What is gone counts as not there, so that asking for what the issue shows records nothing. If absent, all is there. */
type AsShown = { readonly remaining?: Remaining };

/** Labels that the issue names but does not show: those of organizations that owned the repository before. */
type Hidden = { readonly hiddenLabelIds?: readonly number[] };

/** The commands of one issue. `scopes` are facts about labels that the caller gathers; `at` is RFC 3339. */
export type IssueCommand =
  | Message<
      'OpenIssue',
      {
        issueId: number;
        posterId: number;
        facts: IssueFacts;
        labelIds: readonly number[];
        scopes: ExclusiveScopes;
        isClosed: boolean;
        at: string;
      }
    >
  | Message<
      'EditIssue',
      { changes: Partial<IssueFacts> & { readonly isClosed?: boolean }; at: string } & IfRevision & AsShown
    >
  | Message<
      'AddIssueLabels' | 'ReplaceIssueLabels',
      { labelIds: readonly number[]; scopes: ExclusiveScopes; at: string } & IfRevision & AsShown & Hidden
    >
  | Message<'ClearIssueLabels', { at: string } & IfRevision & AsShown & Hidden>
  | Message<'RemoveIssueLabel', { labelId: number; at: string } & IfRevision>
  | Message<'UnassignIssue', { accountId: number; at: string }>
  | Message<'CloseIssueByCommit', { commitId: string; closes: boolean; at: string }>
  | Message<'Comment', { commentId: number; authorId: number; body: string; at: string }>
  | Message<'EditComment', { commentId: number; body: string; at: string } & IfRevision>
  | Message<'DeleteComment', { commentId: number; at: string } & IfRevision>
  | Message<'DeleteIssue', { at: string } & IfRevision>;

type Opened = Omit<IssueFacts, 'title' | 'body'> & { readonly title: Personal; readonly body: Personal };

// Stored for good: fields may be added, never renamed or removed. The stream's name has the repository and the index.
// The texts of an issue belong to its poster and those of a comment to its author, even if others edited them.
/** The events of one issue and its comments. `before` is the previous value; `commitId` is present if a commit did it. */
export type IssueEvent =
  | Message<
      'IssueOpened',
      { issueId: number; posterId: number } & Opened & { labelIds: readonly number[]; openedAt: string }
    >
  | Message<'IssueTitleChanged', { posterId: number; title: Personal; before: Personal; changedAt: string }>
  | Message<'IssueBodyChanged', { posterId: number; body: Personal; before: Personal; changedAt: string }>
  | Message<'IssueRefChanged', { ref: string; before: string; changedAt: string }>
  | Message<'IssueDeadlineChanged', { dueAt: string | null; before: string | null; changedAt: string }>
  | Message<
      'IssueAssigneesChanged',
      {
        assigneeIds: readonly number[];
        added: readonly number[];
        removed: readonly number[];
        changedAt: string;
      }
    >
  | Message<
      'IssueMilestoneChanged',
      { milestoneId: number | null; before: number | null; isClosed: boolean; changedAt: string }
    >
  | Message<
      'IssueLabelsChanged',
      {
        labelIds: readonly number[];
        added: readonly number[];
        removed: readonly number[];
        /** Whether all labels were removed at once. */
        cleared: boolean;
        changedAt: string;
      }
    >
  | Message<'IssueClosed', { milestoneId: number | null; commitId?: string; closedAt: string }>
  | Message<'IssueReopened', { milestoneId: number | null; commitId?: string; reopenedAt: string }>
  | Message<'IssueCommented', { commentId: number; authorId: number; body: Personal; commentedAt: string }>
  | Message<
      'CommentEdited',
      { commentId: number; authorId: number; body: Personal; before: Personal; editedAt: string }
    >
  | Message<'CommentDeleted', { commentId: number; authorId: number; deletedAt: string }>
  | Message<
      'IssueDeleted',
      { issueId: number; wasClosed: boolean; milestoneId: number | null; deletedAt: string }
    >;
