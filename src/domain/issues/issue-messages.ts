import type { Personal } from '../accounts/profile.js';
import type { Message } from '../decider.js';

/** What can be said of an issue when it is opened and changed later; a request that says nothing leaves it out. */
export type IssueFacts = {
  readonly title: string;
  readonly body: string;
  /** A branch or tag that the issue is about; empty for none. */
  readonly ref: string;
  readonly assigneeIds: readonly number[];
  readonly milestoneId: number | null;
  /** RFC 3339. */
  readonly dueAt: string | null;
};

/** Of the labels that may be on an issue, the scopes of those that exclude others; by label id, as text. */
export type ExclusiveScopes = Readonly<Record<string, string>>;

/** The stream must be at one of these revisions; absent where the last writer wins. */
type IfRevision = { readonly ifRevisions?: readonly number[] };

/** What one issue is told. `scopes` are facts about labels, gathered by the caller; `at` is RFC 3339. */
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
      { changes: Partial<IssueFacts> & { readonly isClosed?: boolean }; at: string } & IfRevision
    >
  | Message<
      'AddIssueLabels' | 'ReplaceIssueLabels',
      { labelIds: readonly number[]; scopes: ExclusiveScopes; at: string } & IfRevision
    >
  | Message<'ClearIssueLabels', { at: string } & IfRevision>
  | Message<'RemoveIssueLabel', { labelId: number; at: string } & IfRevision>
  | Message<'UnassignIssue', { accountId: number; at: string }>
  | Message<'CloseIssueByCommit', { commitId: string; closes: boolean; at: string }>
  | Message<'Comment', { commentId: number; authorId: number; body: string; at: string }>
  | Message<'EditComment', { commentId: number; body: string; at: string } & IfRevision>
  | Message<'DeleteComment', { commentId: number; at: string } & IfRevision>
  | Message<'DeleteIssue', { at: string } & IfRevision>;

type Opened = Omit<IssueFacts, 'title' | 'body'> & { readonly title: Personal; readonly body: Personal };

// Stored for good: fields may be added, never renamed or removed. The stream's name says repository and index. The
// texts of an issue are its poster's and those of a comment its author's, whoever edited them.
/** What happened to one issue or its comments. `before` is what it was; `commitId` is there where a commit did it. */
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
        /** All of them were taken off at once. */
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
