import type { Map } from 'immutable';
import { orErased } from '../erased.js';
import { invalid, notFound } from '../errors.js';
import { checkSize } from './issue-facts.js';
import type { IssueCommand, IssueEvent } from './issue-messages.js';

type CommentsCommand = Extract<IssueCommand, { type: 'Comment' | 'EditComment' | 'DeleteComment' }>;
type CommentsEvent = Extract<IssueEvent, { type: 'IssueCommented' | 'CommentEdited' | 'CommentDeleted' }>;

/** The comments of an issue, by id: a part of the Issue aggregate. Texts of erased people are placeholders. */
export type Comments = Map<number, { readonly authorId: number; readonly body: string }>;

/** Applies one event to the comments. */
export function evolveComments(comments: Comments, { type, data }: CommentsEvent): Comments {
  switch (type) {
    case 'IssueCommented':
      return comments.set(data.commentId, { authorId: data.authorId, body: orErased(data.body) });
    case 'CommentEdited': {
      const comment = comments.get(data.commentId);
      return comment ? comments.set(data.commentId, { ...comment, body: orErased(data.body) }) : comments;
    }
    case 'CommentDeleted':
      return comments.delete(data.commentId);
  }
}

/** Decides a command about the comments of an existing issue. Refuses an absent comment, and an empty or too long text. */
export function decideComments(
  { type, data }: CommentsCommand,
  comments: Comments,
): readonly CommentsEvent[] {
  switch (type) {
    case 'Comment': {
      const { commentId, authorId, body, at } = data;
      checkComment(body);
      return [{ type: 'IssueCommented', data: { commentId, authorId, body, commentedAt: at } }];
    }
    case 'EditComment': {
      const { commentId, body, at } = data;
      const { authorId, body: before } = commentOf(comments, commentId);
      checkComment(body);
      if (body === before) return [];
      return [{ type: 'CommentEdited', data: { commentId, authorId, body, before, editedAt: at } }];
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

function commentOf(comments: Comments, commentId: number) {
  const comment = comments.get(commentId);
  if (!comment) throw notFound('comment.absent', 'the comment does not exist');
  return comment;
}
