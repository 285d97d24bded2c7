import type { DomainEvent } from '../../domain/domain-event.js';
import type { IssueEvent } from '../../domain/issues/issue-messages.js';
import { orErased } from '../../domain/erased.js';
import { issueOf } from '../../domain/issues/place.js';
import { presentComments } from '../../http/issues/presenter.js';
import type { CommentRow } from '../../queries/issues/comments.js';
import { presentIssueOf } from './issues.js';
import type { Occasion } from './occasion.js';
import type { Scene } from './scene.js';
import type { PayloadServices } from './services.js';

type CommentEvent = Extract<IssueEvent, { type: 'IssueCommented' | 'CommentEdited' | 'CommentDeleted' }>;

const actions = { IssueCommented: 'created', CommentEdited: 'edited', CommentDeleted: 'deleted' } as const;

/** Returns the occasion of an event about a comment, which its body shows as it was at the event. */
export const ofComment = (event: DomainEvent<CommentEvent>, scene: Scene): Occasion[] => [
  {
    key: actions[event.type],
    event: 'issue_comment',
    eventType: 'issue_comment',
    body: async () => {
      const { services, repository, common } = scene;
      const row = await commentThen(event, services);
      const issue = await presentIssueOf(event, scene);
      if (!row || !issue) return undefined;
      const [comment] = await presentComments([row], repository, undefined, services);
      return {
        action: actions[event.type],
        issue,
        comment,
        ...(event.type === 'CommentEdited' && { changes: { body: { from: orErased(event.data.before) } } }),
        ...(await common()),
        is_pull: false,
      };
    },
  },
];

const PAGE = 200;

/** Rebuilds the comment from the issue's events, as it was after the event or, if that deleted it, before. */
async function commentThen(
  event: DomainEvent<CommentEvent>,
  { log }: Pick<PayloadServices, 'log'>,
): Promise<CommentRow | undefined> {
  const { repository_id, number } = issueOf(event.streamId);
  let newest: { readonly body: string; readonly at: string } | undefined;
  for await (const { type, data } of issueBackFrom(event, log)) {
    if (!('commentId' in data) || data.commentId !== event.data.commentId) continue;
    if (type === 'CommentEdited') newest ??= { body: orErased(data.body), at: data.editedAt };
    if (type !== 'IssueCommented') continue;
    const { commentId: id, authorId: author_id, body, commentedAt } = data;
    const created_at = new Date(commentedAt);
    const place = { id, repository_id, number, author_id, created_at };
    return {
      ...place,
      body: newest?.body ?? orErased(body),
      updated_at: newest ? new Date(newest.at) : created_at,
    };
  }
  return undefined;
}

/** The events of an issue up to this one, newest first. Most often it alone is needed: then the log is not read. */
async function* issueBackFrom(
  event: DomainEvent<IssueEvent>,
  log: PayloadServices['log'],
): AsyncGenerator<DomainEvent<IssueEvent>> {
  yield event;
  for (let from = event.revision - 1; from >= 0; from -= PAGE) {
    const page = await log.readStream(event.stream, { direction: 'backwards', from, max: PAGE });
    yield* page as readonly DomainEvent<IssueEvent>[];
  }
}
