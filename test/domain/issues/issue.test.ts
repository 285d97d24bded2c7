import { expect } from 'chai';
import { Issue } from '../../../src/domain/issues/issue.js';
import type { IssueCommand, IssueEvent, IssueFacts } from '../../../src/domain/issues/issue-messages.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-02T03:04:05.000Z';
const facts: IssueFacts = {
  title: 'It fails',
  body: '',
  ref: '',
  assigneeIds: [],
  milestoneId: null,
  dueAt: null,
};
const opened: Extract<IssueEvent, { type: 'IssueOpened' }> = {
  type: 'IssueOpened',
  data: { issueId: 9, posterId: 1, ...facts, labelIds: [], openedAt: at },
};
const closed: IssueEvent = { type: 'IssueClosed', data: { milestoneId: null, closedAt: at } };
const commented: IssueEvent = {
  type: 'IssueCommented',
  data: { commentId: 5, authorId: 2, body: 'me too', commentedAt: at },
};
const labelled = (
  labelIds: number[],
  added: number[],
  removed: number[] = [],
  cleared = false,
): IssueEvent => ({
  type: 'IssueLabelsChanged',
  data: { labelIds, added, removed, cleared, changedAt: at },
});

const open = (changes: Partial<Extract<IssueCommand, { type: 'OpenIssue' }>['data']> = {}): IssueCommand => ({
  type: 'OpenIssue',
  data: { issueId: 9, posterId: 1, facts, labelIds: [], scopes: {}, isClosed: false, at, ...changes },
});
const edit = (changes: Extract<IssueCommand, { type: 'EditIssue' }>['data']['changes']): IssueCommand => ({
  type: 'EditIssue',
  data: { changes, at },
});
const add = (labelIds: number[], scopes = {}): IssueCommand => ({
  type: 'AddIssueLabels',
  data: { labelIds, scopes, at },
});

describe('Issue', () => {
  const { given } = specification(Issue);

  it('is opened once', () => {
    given().when(open()).then(opened);
    given(opened).when(open()).thenRefused('issue.index_taken');
  });

  it('is opened and closed at once', () => {
    given()
      .when(open({ isClosed: true }))
      .then(opened, closed);
  });

  it('trims its title, and takes each assignee once', () => {
    given()
      .when(open({ facts: { ...facts, title: ' It fails\n', assigneeIds: [3, 3] } }))
      .then({ type: 'IssueOpened', data: { ...opened.data, assigneeIds: [3] } });
  });

  it('has a title, and a body of some size', () => {
    given()
      .when(open({ facts: { ...facts, title: ' ' } }))
      .thenRefused('issue.title_missing');
    given()
      .when(open({ facts: { ...facts, title: 'x'.repeat(256) } }))
      .thenRefused('issue.title_long');
    given()
      .when(open({ facts: { ...facts, body: 'é'.repeat(131_073) } }))
      .thenRefused('issue.body_large');
    const longest = { title: 'x'.repeat(255), body: 'é'.repeat(131_072) };
    given()
      .when(open({ facts: { ...facts, ...longest } }))
      .then({ type: 'IssueOpened', data: { ...opened.data, ...longest } });
    given(opened)
      .when(edit({ title: '' }))
      .thenRefused('issue.title_missing');
  });

  it('has none but the last of labels that exclude each other', () => {
    given()
      .when(open({ labelIds: [1, 2, 3, 1], scopes: { 1: 'a', 2: 'a' } }))
      .then({ type: 'IssueOpened', data: { ...opened.data, labelIds: [3, 1] } });
    given(opened, labelled([1, 3], [1, 3]))
      .when(add([2], { 1: 'a', 2: 'a' }))
      .then(labelled([3, 2], [2], [1]));
  });

  it('has each label once, in the order in which they were named last', () => {
    given()
      .when(open({ labelIds: [2, 2, 1, 3, 1] }))
      .then({ type: 'IssueOpened', data: { ...opened.data, labelIds: [2, 3, 1] } });
    given({ ...opened, data: { ...opened.data, labelIds: [2, 1] } })
      .when(add([1, 3]))
      .then(labelled([2, 1, 3], [3]));
  });

  it('keeps labels that exclude others than each other', () => {
    given()
      .when(open({ labelIds: [1, 2, 3], scopes: { 1: 'a', 2: 'b' } }))
      .then({ type: 'IssueOpened', data: { ...opened.data, labelIds: [1, 2, 3] } });
  });

  it('keeps labels that came to exclude each other until another one of their scope is added', () => {
    const history = [opened, labelled([1, 2, 3], [1, 2, 3])];
    const scopes = { 1: 'a', 2: 'a', 4: 'b', 5: 'a' };
    for (const labelIds of [[], [1], [2, 1], [3]])
      given(...history)
        .when(add(labelIds, scopes))
        .then();
    given(...history)
      .when(add([4], scopes))
      .then(labelled([1, 2, 3, 4], [4]));
    given(...history)
      .when(add([5], scopes))
      .then(labelled([3, 5], [5], [1, 2]));
  });

  it('has 100 labels at most, and may only lose some where it has more', () => {
    const ids = (length: number) => Array.from({ length }, (_, index) => index + 1);
    const replace = (labelIds: number[]): IssueCommand => ({
      type: 'ReplaceIssueLabels',
      data: { labelIds, scopes: {}, at },
    });
    given()
      .when(open({ labelIds: [...ids(100), 1] }))
      .then({ type: 'IssueOpened', data: { ...opened.data, labelIds: [...ids(100).slice(1), 1] } });
    given()
      .when(open({ labelIds: ids(101) }))
      .thenRefused('labels.too_many');
    given(opened, labelled([1], [1]))
      .when(add(ids(100)))
      .then(labelled(ids(100), ids(100).slice(1)));
    for (const command of [add(ids(101)), replace(ids(101))])
      given(opened, labelled([1], [1]))
        .when(command)
        .thenRefused('labels.too_many');

    const history = [opened, labelled(ids(150), ids(150))];
    given(...history)
      .when(add([7]))
      .then();
    for (const command of [add([151]), replace([...ids(100), 151])])
      given(...history)
        .when(command)
        .thenRefused('labels.too_many');
    given(...history)
      .when(replace(ids(149)))
      .then(labelled(ids(149), [], [150]));
    given(...history)
      .when({ type: 'RemoveIssueLabel', data: { labelId: 150, at } })
      .then(labelled(ids(149), [], [150]));
    given(...history)
      .when(replace([...ids(99), 151]))
      .then(labelled([...ids(99), 151], [151], ids(150).slice(99)));
  });

  it('takes labels that it has already without an event', () => {
    given(opened, labelled([1], [1]))
      .when(add([1]))
      .then();
  });

  it('replaces, removes and clears labels', () => {
    const history = [opened, labelled([1, 2], [1, 2])];
    given(...history)
      .when({ type: 'ReplaceIssueLabels', data: { labelIds: [2, 3], scopes: {}, at } })
      .then(labelled([2, 3], [3], [1]));
    given(...history)
      .when({ type: 'RemoveIssueLabel', data: { labelId: 1, at } })
      .then(labelled([2], [], [1]));
    given(...history)
      .when({ type: 'RemoveIssueLabel', data: { labelId: 7, at } })
      .then();
    given(...history)
      .when({ type: 'ClearIssueLabels', data: { at } })
      .then(labelled([], [], [1, 2], true));
    given(opened).when({ type: 'ClearIssueLabels', data: { at } }).then();
  });

  it('has no more of what was deleted, as far as that is known at its revision', () => {
    const full = {
      ...opened,
      data: { ...opened.data, assigneeIds: [3, 4], milestoneId: 2, labelIds: [1, 2] },
    };
    const remaining = { revision: 0, milestoneId: null, assigneeIds: [4], labelIds: [2] };
    const changes = { milestoneId: null, assigneeIds: [4] };
    given(full).when({ type: 'EditIssue', data: { changes, remaining, at } }).then();
    given(full, closed)
      .when({
        type: 'EditIssue',
        data: { changes: { ...changes, isClosed: true }, remaining: { ...remaining, revision: 1 }, at },
      })
      .then();
    given(full)
      .when({ type: 'ReplaceIssueLabels', data: { labelIds: [2], scopes: {}, remaining, at } })
      .then();
    given(full)
      .when({ type: 'ClearIssueLabels', data: { remaining, at } })
      .then(labelled([], [], [2], true));
    given(full, commented)
      .when({ type: 'ReplaceIssueLabels', data: { labelIds: [2], scopes: {}, remaining, at } })
      .then(labelled([2], [], [1]));
  });

  it('keeps labels that it does not show until those that it shows change', () => {
    const full = { ...opened, data: { ...opened.data, labelIds: [1, 2] } };
    const hiddenLabelIds = [1];
    const replace = (...labelIds: number[]) =>
      ({ type: 'ReplaceIssueLabels', data: { labelIds, scopes: {}, hiddenLabelIds, at } }) as const;
    const clear = { type: 'ClearIssueLabels', data: { hiddenLabelIds, at } } as const;
    given(full).when(replace(2)).then();
    given(full)
      .when(replace(3))
      .then(labelled([3], [3], [1, 2]));
    given(full)
      .when(clear)
      .then(labelled([], [], [1, 2], true));
    given(full, labelled([1], [], [2]))
      .when(clear)
      .then();
  });

  it('takes one account off, and nothing where it is not assigned', () => {
    const both = { ...opened, data: { ...opened.data, assigneeIds: [3, 4] } };
    given(both)
      .when({ type: 'UnassignIssue', data: { accountId: 3, at } })
      .then({
        type: 'IssueAssigneesChanged',
        data: { assigneeIds: [4], added: [], removed: [3], changedAt: at },
      });
    given(both)
      .when({ type: 'UnassignIssue', data: { accountId: 5, at } })
      .then();
  });

  it('changes everything or nothing', () => {
    given(opened)
      .when(
        edit({
          title: 'New',
          body: 'text',
          assigneeIds: [4],
          milestoneId: 2,
          dueAt: at,
          ref: 'main',
          isClosed: true,
        }),
      )
      .then(
        { type: 'IssueTitleChanged', data: { posterId: 1, title: 'New', before: 'It fails', changedAt: at } },
        { type: 'IssueBodyChanged', data: { posterId: 1, body: 'text', before: '', changedAt: at } },
        { type: 'IssueRefChanged', data: { ref: 'main', before: '', changedAt: at } },
        { type: 'IssueDeadlineChanged', data: { dueAt: at, before: null, changedAt: at } },
        { type: 'IssueAssigneesChanged', data: { assigneeIds: [4], added: [4], removed: [], changedAt: at } },
        {
          type: 'IssueMilestoneChanged',
          data: { milestoneId: 2, before: null, isClosed: false, changedAt: at },
        },
        { type: 'IssueClosed', data: { milestoneId: 2, closedAt: at } },
      );
    given(opened)
      .when(edit({ body: 'text', title: ' ' }))
      .thenRefused('issue.title_missing');
  });

  it('changes nothing when the same is said again', () => {
    given(opened)
      .when(edit({ ...facts, isClosed: false }))
      .then();
    given(opened, closed)
      .when(edit({ isClosed: true }))
      .then();
  });

  it('is reopened, and closed again', () => {
    const reopened: IssueEvent = { type: 'IssueReopened', data: { milestoneId: null, reopenedAt: at } };
    given(opened, closed)
      .when(edit({ isClosed: false }))
      .then(reopened);
    given(opened, closed, reopened)
      .when(edit({ isClosed: true }))
      .then(closed);
  });

  it('is what it was changed to', () => {
    const changes = { title: 'New', body: 'text', ref: 'main', assigneeIds: [4], milestoneId: 2, dueAt: at };
    const state = Issue.evolve(Issue.initialState, opened);
    given(opened, ...Issue.decide(edit(changes), state))
      .when(edit(changes))
      .then();
  });

  it('is closed and reopened by commits, each once', () => {
    const byCommit = (closes: boolean): IssueCommand => ({
      type: 'CloseIssueByCommit',
      data: { commitId: 'abc', closes, at },
    });
    given(opened)
      .when(byCommit(true))
      .then({ type: 'IssueClosed', data: { milestoneId: null, commitId: 'abc', closedAt: at } });
    given(opened, closed).when(byCommit(true)).then();
    given(opened, closed)
      .when(byCommit(false))
      .then({ type: 'IssueReopened', data: { milestoneId: null, commitId: 'abc', reopenedAt: at } });
  });

  it('has comments, edited and deleted', () => {
    const comment = (body: string): IssueCommand => ({
      type: 'Comment',
      data: { commentId: 5, authorId: 2, body, at },
    });
    given(opened).when(comment('me too')).then(commented);
    given(opened).when(comment(' \n')).thenRefused('comment.body_missing');
    given(opened)
      .when(comment('x'.repeat(262_145)))
      .thenRefused('issue.body_large');
    given(opened, commented)
      .when({ type: 'EditComment', data: { commentId: 5, body: '', at } })
      .thenRefused('comment.body_missing');
    given(opened, commented)
      .when({ type: 'EditComment', data: { commentId: 5, body: 'no', at } })
      .then({
        type: 'CommentEdited',
        data: { commentId: 5, authorId: 2, body: 'no', before: 'me too', editedAt: at },
      });
    given(opened, commented)
      .when({ type: 'EditComment', data: { commentId: 5, body: 'me too', at } })
      .then();
    given(opened, commented)
      .when({ type: 'DeleteComment', data: { commentId: 5, at } })
      .then({ type: 'CommentDeleted', data: { commentId: 5, authorId: 2, deletedAt: at } });
    given(opened)
      .when({ type: 'DeleteComment', data: { commentId: 5, at } })
      .thenRefused('comment.absent');
    given(opened, commented, { type: 'CommentDeleted', data: { commentId: 5, authorId: 2, deletedAt: at } })
      .when({ type: 'DeleteComment', data: { commentId: 5, at } })
      .thenRefused('comment.absent');
    given(opened, commented, {
      type: 'CommentEdited',
      data: { commentId: 5, authorId: 2, body: 'no', before: 'me too', editedAt: at },
    })
      .when({ type: 'EditComment', data: { commentId: 5, body: 'no', at } })
      .then();
    given(opened, commented, {
      type: 'CommentEdited',
      data: { commentId: 5, authorId: 2, body: 'no', before: 'me too', editedAt: at },
    })
      .when({ type: 'DeleteComment', data: { commentId: 5, at } })
      .then({ type: 'CommentDeleted', data: { commentId: 5, authorId: 2, deletedAt: at } });
  });

  it('has comments of 64 MiB at most, whatever became of earlier ones', () => {
    const body = 'x'.repeat(262_144);
    const full = Array.from({ length: 255 }, (_, commentId): IssueEvent => {
      return { type: 'IssueCommented', data: { commentId, authorId: 2, body, commentedAt: at } };
    });
    const comment = (text: string): IssueCommand => ({
      type: 'Comment',
      data: { commentId: 999, authorId: 2, body: text, at },
    });
    const editing = (text: string): IssueCommand => ({
      type: 'EditComment',
      data: { commentId: 5, body: text, at },
    });
    const edited = (text: string, before: string): IssueEvent => ({
      type: 'CommentEdited',
      data: { commentId: 5, authorId: 2, body: text, before, editedAt: at },
    });
    const shorter = edited('short', body);
    given(opened, ...full)
      .when(comment(body))
      .thenRefused('issue.comments_large');
    given(opened, ...full)
      .when(editing('short'))
      .then(shorter);
    given(opened, ...full, shorter)
      .when(comment(body))
      .then({ type: 'IssueCommented', data: { commentId: 999, authorId: 2, body, commentedAt: at } });
    const another: IssueEvent = {
      type: 'IssueCommented',
      data: { commentId: 999, authorId: 2, body, commentedAt: at },
    };
    given(opened, ...full, shorter, another)
      .when(editing(body))
      .thenRefused('issue.comments_large');
    given(opened, ...full, { type: 'CommentDeleted', data: { commentId: 7, authorId: 2, deletedAt: at } })
      .when(comment(body))
      .then(another);
    const state = [opened, ...full, shorter].reduce(
      (before, event) => Issue.evolve(before, event),
      Issue.initialState,
    );
    expect(Issue.bytesOf?.(state)).to.be.within(254 * 262_144, 255 * 262_144);
  });

  it('is nothing any more once it is deleted, and keeps its index', () => {
    const deleted: IssueEvent = {
      type: 'IssueDeleted',
      data: { issueId: 9, wasClosed: false, milestoneId: null, deletedAt: at },
    };
    given(opened).when({ type: 'DeleteIssue', data: { at } }).then(deleted);
    given(opened, deleted)
      .when(edit({ title: 'x' }))
      .thenRefused('issue.absent');
    given(opened, deleted).when(open()).thenRefused('issue.index_taken');
  });

  it('refuses who knows an older revision', () => {
    const { revision } = [opened, closed].reduce(
      (state, event) => Issue.evolve(state, event),
      Issue.initialState,
    );
    expect(revision).to.equal(1);
    const changes = { title: 'New' };
    given(opened, closed)
      .when({ type: 'EditIssue', data: { changes, ifRevisions: [0], at } })
      .thenRefused('issue.changed');
    given(opened, closed)
      .when({ type: 'EditIssue', data: { changes, ifRevisions: [0, 1], at } })
      .then({
        type: 'IssueTitleChanged',
        data: { posterId: 1, title: 'New', before: 'It fails', changedAt: at },
      });
  });
});
