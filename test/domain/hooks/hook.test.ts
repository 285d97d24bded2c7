import { expect } from 'chai';
import { isBranchFilter, passesBranchFilter } from '../../../src/domain/hooks/branch-filter.js';
import { hookEventNames, hookEventsFor, isHookEventWord } from '../../../src/domain/hooks/hook-events.js';
import type { HookEvent, HookFacts } from '../../../src/domain/hooks/hook-messages.js';
import { Hook } from '../../../src/domain/hooks/hook.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-02T03:04:05.000Z';

describe('Hook', () => {
  const { given } = specification(Hook);
  const facts: HookFacts = {
    url: 'https://example.org/',
    contentType: 'json',
    events: ['push'],
    branchFilter: '',
    isActive: true,
    secretId: null,
    authorizationId: null,
  };
  const place = { scope: 'repository', ownerId: 7 } as const;
  const created: HookEvent = {
    type: 'HookCreated',
    data: { hookId: 1, ...place, type: 'forgejo', ...facts, createdAt: at },
  };
  const deleted: HookEvent = { type: 'HookDeleted', data: { hookId: 1, ...place, deletedAt: at } };
  const edit = (changes: Partial<HookFacts>) => ({ type: 'EditHook', data: { changes, at } }) as const;

  it('is created', () => {
    given()
      .when({ type: 'CreateHook', data: { hookId: 1, ...place, type: 'forgejo', facts, at } })
      .then(created);
  });

  it('records what differs, and what it was before', () => {
    given(created)
      .when(edit({ url: 'https://example.org/', isActive: false, events: ['push', 'fork'] }))
      .then({
        type: 'HookEdited',
        data: {
          hookId: 1,
          ...place,
          changes: { isActive: false, events: ['push', 'fork'] },
          before: { isActive: true, events: ['push'] },
          editedAt: at,
        },
      });
    given(created).when(edit(facts)).then();
  });

  it('is what it was changed to', () => {
    const changes = { isActive: false, branchFilter: 'v*' };
    const edited: HookEvent = {
      type: 'HookEdited',
      data: { hookId: 1, ...place, changes, before: { isActive: true, branchFilter: '' }, editedAt: at },
    };
    given(created, edited)
      .when(edit({ ...facts, ...changes }))
      .then();
    given(created, edited).when({ type: 'DeleteHook', data: { at } }).then(deleted);
  });

  it('names another secret together with what changes beside it', () => {
    const changes = { secretId: 'another', url: 'https://example.com/' };
    const before = { secretId: null, url: 'https://example.org/' };
    given(created)
      .when(edit(changes))
      .then({ type: 'HookEdited', data: { hookId: 1, ...place, changes, before, editedAt: at } });
  });

  it('is deleted once', () => {
    given(created).when({ type: 'DeleteHook', data: { at } }).then(deleted);
    given(created, deleted).when({ type: 'DeleteHook', data: { at } }).thenRefused('hook.absent');
  });

  it('cannot be edited where it is not', () => {
    given().when(edit({})).thenRefused('hook.absent');
    given(created, deleted)
      .when(edit({ isActive: false }))
      .thenRefused('hook.absent');
  });
});

describe('the events of a hook', () => {
  it('are what the words switch on, in canonical order', () => {
    expect(hookEventsFor(['push', 'ISSUES', 'create'])).to.deep.equal([
      'create',
      'push',
      'issues',
      'issue_assign',
      'issue_label',
      'issue_milestone',
      'issue_comment',
    ]);
    expect(hookEventsFor(['issues_only'])).to.deep.equal(['issues']);
    expect(hookEventsFor(['pull_request_review'])).to.deep.equal([
      'pull_request_review_approved',
      'pull_request_review_rejected',
      'pull_request_review_comment',
    ]);
  });

  it('switch themselves on by their own names', () => {
    for (const name of hookEventNames) expect(hookEventsFor([name]), name).to.include(name);
  });

  it('are known', () => {
    expect(isHookEventWord('Push')).to.equal(true);
    expect(isHookEventWord('shove')).to.equal(false);
    expect(isHookEventWord('constructor')).to.equal(false);
  });
});

describe('a branch filter', () => {
  it('lets pass what the glob matches, slashes being like other characters', () => {
    expect(passesBranchFilter('{master,feature*}', 'feature/7791')).to.equal(true);
    expect(passesBranchFilter('{master,feature*}', 'master')).to.equal(true);
    expect(passesBranchFilter('{master,feature*}', 'fix_weird_bug')).to.equal(false);
    expect(passesBranchFilter('*', 'a/b/c')).to.equal(true);
    expect(passesBranchFilter('', 'anything')).to.equal(true);
    expect(passesBranchFilter('v?1', 'v/1')).to.equal(true);
    expect(passesBranchFilter('release/[0-9]*', 'release/1.x')).to.equal(true);
    expect(passesBranchFilter('Main', 'main')).to.equal(false);
  });

  it('must be well formed', () => {
    for (const good of [
      '',
      '*',
      '{a,b}',
      '{a,{b,c}}',
      '[a-z]?',
      '[!x]',
      '[a-]',
      '[+--]',
      '[\\z-z]',
      'z-a',
      '\\[z-a',
      '\\[x',
      'a\\{',
    ])
      expect(isBranchFilter(good), good).to.equal(true);
    for (const bad of ['[', '[]', ']', '{', '}', '}{', 'a\\', '{a,b', '[a', '[z-a]', 'x[!0b-a]', '[\\z-\\a]'])
      expect(isBranchFilter(bad), bad).to.equal(false);
  });
});
