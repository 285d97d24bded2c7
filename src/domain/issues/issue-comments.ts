import { Map } from 'immutable';
import { orErased } from '../erased.js';
import { invalid, notFound } from '../errors.js';
import { checkSize } from './issue-facts.js';
import type { IssueCommand, IssueEvent } from './issue-messages.js';

type CommentsCommand = Extract<IssueCommand, { type: 'Comment' | 'EditComment' | 'DeleteComment' }>;
type CommentsEvent = Extract<IssueEvent, { type: 'IssueCommented' | 'CommentEdited' | 'CommentDeleted' }>;

/** A comment as decisions need it. The text of an erased person is a placeholder. */
interface Comment {
  readonly authorId: number;
  readonly body: string;
}

/** The comments of an issue: a part of the Issue aggregate. */
export interface Comments {
  readonly byId: Map<number, Comment>;
  /** The memory that they take, about. */
  readonly bytes: number;
}

export const noComments: Comments = { byId: Map(), bytes: 0 };

/** The most memory for the comments of one issue, because every change of it needs them all. */
const MAX_BYTES = 67_108_864;
/** What a comment takes beside its text. */
const BYTES_BESIDE_TEXT = 128;

/** Applies one event to the comments. */
export function evolveComments(comments: Comments, { type, data }: CommentsEvent): Comments {
  const before = comments.byId.get(data.commentId);
  switch (type) {
    case 'IssueCommented':
      return withComment(comments, data.commentId, { authorId: data.authorId, body: orErased(data.body) });
    case 'CommentEdited':
      return before
        ? withComment(comments, data.commentId, { ...before, body: orErased(data.body) })
        : comments;
    case 'CommentDeleted':
      return { byId: comments.byId.delete(data.commentId), bytes: comments.bytes - bytesOf(before) };
  }
}

const withComment = ({ byId, bytes }: Comments, id: number, comment: Comment): Comments => ({
  byId: byId.set(id, comment),
  bytes: bytes - bytesOf(byId.get(id)) + bytesOf(comment),
});

const bytesOf = (comment: Comment | undefined): number =>
  comment ? BYTES_BESIDE_TEXT + Buffer.byteLength(comment.body) : 0;

/** Decides a command about the comments of an existing issue. Refuses an absent comment, and an empty or too long text. */
export function decideComments(
  { type, data }: CommentsCommand,
  comments: Comments,
): readonly CommentsEvent[] {
  switch (type) {
    case 'Comment': {
      const { commentId, authorId, body, at } = data;
      checkComment(body);
      checkRoom(comments, { authorId, body });
      return [{ type: 'IssueCommented', data: { commentId, authorId, body, commentedAt: at } }];
    }
    case 'EditComment': {
      const { commentId, body, at } = data;
      const before = commentOf(comments, commentId);
      const { authorId } = before;
      checkComment(body);
      if (body === before.body) return [];
      checkRoom(comments, { authorId, body }, before);
      return [
        { type: 'CommentEdited', data: { commentId, authorId, body, before: before.body, editedAt: at } },
      ];
    }
    case 'DeleteComment': {
      const { commentId, at } = data;
      const { authorId } = commentOf(comments, commentId);
      return [{ type: 'CommentDeleted', data: { commentId, authorId, deletedAt: at } }];
    }
  }
}

function checkComment(body: string): void {
  if (body.trim() === '') throw invalid('comment.body_missing', 'Body', 'Required');
  checkSize(body);
}

/** Refuses a comment that is longer than the one before, or new, if the issue's comments would be too long together. */
function checkRoom({ bytes }: Comments, comment: Comment, before?: Comment): void {
  const more = bytesOf(comment) - bytesOf(before);
  if (more > 0 && bytes + more > MAX_BYTES)
    throw invalid('issue.comments_large', 'Body', 'the comments of an issue have 64 MiB at most together');
}

function commentOf({ byId }: Comments, commentId: number): Comment {
  const comment = byId.get(commentId);
  if (!comment) throw notFound('comment.absent', 'the comment does not exist');
  return comment;
}
