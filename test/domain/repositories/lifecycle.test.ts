import { expect } from 'chai';
import type { BranchProtection } from '../../../src/domain/repositories/branch-protection.js';
import {
  branchProtectionAdded,
  BranchProtections,
} from '../../../src/domain/repositories/branch-protections.js';
import { RULES_CHANGED } from '../../../src/domain/repositories/branch-rules.js';
import { ABANDONED, NAME_LOST } from '../../../src/domain/repositories/lifecycle.js';
import type { RepositoryEvent, RefUpdate } from '../../../src/domain/repositories/repository-messages.js';
import {
  Repository,
  type RepositoryCommand,
  type RepositoryState,
} from '../../../src/domain/repositories/repository.js';
import { defaultSettings } from '../../../src/domain/repositories/settings.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const HASH = 'a'.repeat(40);
const main: RefUpdate = { ref: 'refs/heads/main', before: null, after: HASH, committedAt: at };

type DataOf<M, Type> = Extract<M, { type: Type; data: unknown }> extends { data: infer Data } ? Data : never;

const facts = {
  ownerId: 7,
  creatorId: 8,
  name: 'Code',
  isPrivate: false,
  objectFormat: 'sha1',
  trustModel: 'default',
  settings: defaultSettings,
  createdAt: at,
} as const;

const created = (more: Partial<DataOf<RepositoryEvent, 'RepositoryCreated'>> = {}): RepositoryEvent => ({
  type: 'RepositoryCreated',
  data: { ...facts, empty: true, ...more },
});
const updated = (pusherId: number | null, ...updates: RefUpdate[]): RepositoryEvent => ({
  type: 'RefsUpdated',
  data: { pusherId, pushId: 'push', updates, updatedAt: at },
});
const archived: RepositoryEvent = { type: 'RepositoryArchived', data: { archivedAt: at } };
const deleted: RepositoryEvent = {
  type: 'RepositoryDeleted',
  data: { ownerId: 7, name: 'Code', deletedAt: at },
};
const abandoned: RepositoryEvent = { type: 'RepositoryAbandoned', data: { abandonedAt: at } };

const create = (...updates: RefUpdate[]): RepositoryCommand => ({
  type: 'CreateRepository',
  data: { ...facts, refs: { pushId: 'push', updates } },
});
const edit = (data: Partial<DataOf<RepositoryCommand, 'EditRepository'>>): RepositoryCommand => ({
  type: 'EditRepository',
  data: { settings: {}, at, ...data },
});
const fill: RepositoryCommand = { type: 'FillRefs', data: { pushId: 'push', updates: [main], at } };
const move = (
  updates: readonly RefUpdate[],
  more: Partial<DataOf<RepositoryCommand, 'UpdateRefs'>> = {},
): RepositoryCommand => ({ type: 'UpdateRefs', data: { pusherId: 8, pushId: 'push', updates, at, ...more } });
const remove = (ownerId = 7): RepositoryCommand => ({ type: 'DeleteRepository', data: { ownerId, at } });
const detach: RepositoryCommand = { type: 'DetachRepository', data: { at } };
const abandon = (holds: boolean): RepositoryCommand => ({ type: 'AbandonClaim', data: { holds, at } });

describe('a repository', () => {
  const { given } = specification(Repository);

  describe('is created', () => {
    it('empty', () => given().when(create()).then(created()));
    it('with what was put in', () =>
      given()
        .when(create(main))
        .then(created({ empty: false }), updated(8, main)));
    it('with what it has from the start besides', () => {
      const data = { ...facts, refs: { pushId: 'push', updates: [] }, topics: ['A'] };
      given()
        .when({ type: 'CreateRepository', data })
        .then(created(), {
          type: 'TopicsReplaced',
          data: { topics: ['a'], before: [], replacedAt: at },
        });
    });
    it('with refs that earlier events hold', () =>
      given(updated(null, main))
        .when(create())
        .then(created({ empty: false })));
    it('empty where there are tags alone', () => {
      const tag = { ...main, ref: 'refs/tags/v1' };
      given().when(create(tag)).then(created(), updated(8, tag));
    });
    it('with rules over its branches', () => {
      const rule = { ruleName: 'main', changes: { enablePush: true } };
      const data = { ...facts, refs: { pushId: 'push', updates: [] }, branchProtections: [rule] };
      const added = BranchProtections.decide(
        { type: 'AddBranchProtection', data: { ...rule, at } },
        BranchProtections.initialState,
      );
      given()
        .when({ type: 'CreateRepository', data })
        .then(created(), ...added);
    });
    it('with a rule of its template, however large', () => {
      const changes = { statusCheckContexts: ['x'.repeat(33 * 1024)] };
      const rule = { ruleName: 'main', changes };
      const data = { ...facts, refs: { pushId: 'push', updates: [] }, branchProtections: [rule] };
      given()
        .when({ type: 'CreateRepository', data })
        .then(created(), branchProtectionAdded({ ...rule, at }));
    });
    it('with somebody who is let in', () => {
      const collaborator = { accountId: 8, permission: 'admin' } as const;
      given()
        .when({
          type: 'CreateRepository',
          data: { ...facts, refs: { pushId: 'push', updates: [] }, collaborator },
        })
        .then(created(), { type: 'CollaboratorAdded', data: { ...collaborator, addedAt: at } });
    });
    it('once', () => given(created()).when(create()).thenRefused('repository.exists'));
    it('never, once it was given up', () => {
      given(abandoned).when(create()).thenRefused(ABANDONED);
      given(abandoned).when(fill).thenRefused(ABANDONED);
    });
  });

  it('takes refs before it is created, and no more after', () => {
    given().when(fill).then(updated(null, main));
    given(created()).when(fill).thenRefused('repository.exists');
  });

  describe('is edited', () => {
    it('where something differs', () => {
      const settings = { description: 'new', website: '' };
      given(created())
        .when(edit({ settings }))
        .then({
          type: 'RepositoryEdited',
          data: { changes: { description: 'new' }, before: { description: '' }, editedAt: at },
        });
      given(created())
        .when(edit({ settings: defaultSettings }))
        .then();
    });
    it('in all at once', () =>
      given(created())
        .when(edit({ name: { name: 'New', claimsLost: 0 }, isPrivate: true, isArchived: true }))
        .then(
          { type: 'RepositoryRenamed', data: { ownerId: 7, name: 'New', before: 'Code', renamedAt: at } },
          { type: 'RepositoryVisibilityChanged', data: { ownerId: 7, isPrivate: true, changedAt: at } },
          archived,
        ));
    it('where it is not so already', () => {
      const named = { name: 'Code', claimsLost: 0 };
      given(created())
        .when(edit({ name: named, isPrivate: false, isArchived: false }))
        .then();
      const renamed: RepositoryEvent = {
        type: 'RepositoryRenamed',
        data: { ownerId: 7, name: 'New', before: 'Code', renamedAt: at },
      };
      const hidden: RepositoryEvent = {
        type: 'RepositoryVisibilityChanged',
        data: { ownerId: 7, isPrivate: true, changedAt: at },
      };
      const unarchived: RepositoryEvent = { type: 'RepositoryUnarchived', data: { unarchivedAt: at } };
      const changed: RepositoryEvent = {
        type: 'RepositoryEdited',
        data: { changes: { description: 'new' }, before: { description: '' }, editedAt: at },
      };
      given(created(), renamed, hidden, archived, unarchived, changed)
        .when(
          edit({
            settings: { ...defaultSettings, description: 'new' },
            name: { name: 'New', claimsLost: 1 },
            isPrivate: true,
            isArchived: false,
          }),
        )
        .then();
      const mirror = { intervalSeconds: 600, prune: true };
      const slower = { ...mirror, intervalSeconds: 900 };
      const changedMirror: RepositoryEvent = {
        type: 'MirrorChanged',
        data: { mirror: slower, changedAt: at },
      };
      given(created({ mirror })).when(edit({ mirror })).then();
      given(created({ mirror }), changedMirror)
        .when(edit({ mirror: slower }))
        .then();
      given(created({ mirror }))
        .when(edit({ settings: defaultSettings }))
        .then();
    });
    it('back', () =>
      given(created(), archived)
        .when(edit({ isArchived: false }))
        .then({ type: 'RepositoryUnarchived', data: { unarchivedAt: at } }));
    it('not while it is archived, unless it is brought back with it', () => {
      const settings = { description: 'new' };
      for (const data of [{ settings }, { isPrivate: true }, { name: { name: 'New', claimsLost: 0 } }])
        given(created(), archived).when(edit(data)).thenRefused('repository.archived');
      given(created({ baseId: 3 }), archived)
        .when(edit({ settings }))
        .thenRefused('repository.archived');
      given(created(), archived)
        .when(edit({ isArchived: true }))
        .then();
      given(created(), archived)
        .when(edit({ settings, isArchived: false }))
        .then(
          {
            type: 'RepositoryEdited',
            data: { changes: settings, before: { description: '' }, editedAt: at },
          },
          { type: 'RepositoryUnarchived', data: { unarchivedAt: at } },
        );
    });
    it('to what its base is, archived or not', () =>
      given(created({ baseId: 3 }), archived)
        .when(edit({ isPrivate: true }))
        .then({
          type: 'RepositoryVisibilityChanged',
          data: { ownerId: 7, isPrivate: true, changedAt: at },
        }));
    it('to a default branch that it has, or to any while it has none', () => {
      const settings = { defaultBranch: 'other' };
      given(created(), updated(8, main))
        .when(edit({ settings }))
        .thenRefused('repository.default_branch_absent');
      given(created(), updated(8, main, { ...main, ref: 'refs/heads/other' }))
        .when(edit({ settings }))
        .then({
          type: 'RepositoryEdited',
          data: { changes: settings, before: { defaultBranch: 'main' }, editedAt: at },
        });
      given(created())
        .when(edit({ settings: { defaultBranch: 'a..b' } }))
        .thenRefused('repository.branch_name_invalid');
      given(created())
        .when(edit({ settings }))
        .then({
          type: 'RepositoryEdited',
          data: { changes: settings, before: { defaultBranch: 'main' }, editedAt: at },
        });
    });
    it('to no name whose claim was lost', () => {
      const moved = { ownerId: 9, previousOwnerId: 7, name: 'Code', teamIds: [], transferredAt: at };
      const renamed = { ownerId: 7, name: 'New', before: 'Code', renamedAt: at };
      const lost: readonly RepositoryEvent[] = [
        { type: 'RepositoryClaimLost', data: { lostAt: at } },
        { type: 'RepositoryRenamed', data: renamed },
        { type: 'RepositoryTransferred', data: moved },
      ];
      for (const event of lost)
        given(created(), event)
          .when(edit({ name: { name: 'Other', claimsLost: 0 } }))
          .thenRefused(NAME_LOST);
      given(created(), { type: 'RepositoryClaimLost', data: { lostAt: at } })
        .when({
          type: 'Transfer',
          data: { ownerId: 7, recipientId: 9, teamIds: [], name: 'Code', claimsLost: 0, at },
        })
        .thenRefused(NAME_LOST);
    });
    it('but not archived while it is a mirror', () => {
      const mirror = { intervalSeconds: 600, prune: true };
      given(created({ mirror }))
        .when(edit({ isArchived: true }))
        .thenRefused('repository.mirror_archived');
      given(created({ mirror }))
        .when(edit({ mirror: { intervalSeconds: 0, prune: true } }))
        .then({
          type: 'MirrorChanged',
          data: { mirror: { intervalSeconds: 0, prune: true }, changedAt: at },
        });
      given(created({ mirror }))
        .when(edit({ mirror: { prune: false } }))
        .then({
          type: 'MirrorChanged',
          data: { mirror: { intervalSeconds: 600, prune: false }, changedAt: at },
        });
      given(created()).when(edit({ mirror })).then();
    });
    it('not where it is not there', () => {
      given().when(edit({})).thenRefused('repository.absent');
      given(created(), deleted).when(edit({})).thenRefused('repository.absent');
    });
  });

  it('is what it was created as, and what became of it', () => {
    const settings = { ...defaultSettings, description: 'old', website: 'https://example.org/' };
    given(created({ settings, isPrivate: true }))
      .when(edit({ settings, isPrivate: true }))
      .then();
    const moved = { ownerId: 9, previousOwnerId: 7, name: 'Moved', teamIds: [], transferredAt: at };
    given(created(), { type: 'RepositoryTransferred', data: moved })
      .when(edit({ isPrivate: true, name: { name: 'Code', claimsLost: 1 } }))
      .then(
        { type: 'RepositoryRenamed', data: { ownerId: 9, name: 'Code', before: 'Moved', renamedAt: at } },
        { type: 'RepositoryVisibilityChanged', data: { ownerId: 9, isPrivate: true, changedAt: at } },
      );
  });

  describe('is deleted', () => {
    it('with the name that it had', () => given(created()).when(remove()).then(deleted));
    it('with its base, while there is one', () => {
      const base: RepositoryEvent = {
        type: 'RepositoryDeleted',
        data: { ownerId: 7, name: 'Code', baseId: 3, deletedAt: at },
      };
      given(created({ baseId: 3 }))
        .when(remove())
        .then(base);
    });
    it('once', () => given(created(), deleted).when(remove()).thenRefused('repository.absent'));

    it('by nobody whose it is no more', () =>
      given(created()).when(remove(8)).thenRefused('repository.absent'));
  });

  it('is detached from its base once', () => {
    const detached: RepositoryEvent = { type: 'RepositoryDetached', data: { baseId: 3, detachedAt: at } };
    given(created({ baseId: 3 }))
      .when(detach)
      .then(detached);
    given(created({ baseId: 3 }), detached)
      .when(detach)
      .then();
    given(created()).when(detach).then();
    given(created({ baseId: 3 }), deleted)
      .when(detach)
      .then();
  });

  describe('whose claim is given up', () => {
    it('can never exist, where it did not', () => given().when(abandon(false)).then(abandoned));
    it('loses what it decided on the claim, where it does', () =>
      given(created())
        .when(abandon(false))
        .then({ type: 'RepositoryClaimLost', data: { lostAt: at } }));
    it('keeps what it came to', () => given(created()).when(abandon(true)).then());
    it('hears of it once', () => given(abandoned).when(abandon(false)).then());
    it('has lost nothing once it is gone', () => given(created(), deleted).when(abandon(false)).then());
  });

  it('refuses every change of what is in it once it is gone', () =>
    given(created(), deleted)
      .when({ type: 'ReplaceTopics', data: { topics: ['sea'], at } })
      .thenRefused('repository.absent'));

  it('refuses every change of what is in it while it is archived', () => {
    const key = { keyId: 1, title: 'ci', key: 'ssh-ed25519 AAAA', fingerprint: 'SHA256:1', readOnly: true };
    const changes: readonly RepositoryCommand[] = [
      { type: 'AddCollaborator', data: { accountId: 9, at } },
      { type: 'RemoveCollaborator', data: { accountId: 9, at } },
      { type: 'ReplaceTopics', data: { topics: ['sea'], at } },
      { type: 'AddTopic', data: { topic: 'sea', at } },
      { type: 'RemoveTopic', data: { topic: 'sea', at } },
      { type: 'AddDeployKey', data: { ...key, addedBy: 8, isOfUser: false, at } },
      { type: 'RemoveDeployKey', data: { keyId: 1, at } },
      { type: 'AddBranchProtection', data: { ruleName: 'main', changes: {}, at } },
      { type: 'EditBranchProtection', data: { ruleName: 'main', changes: {}, at } },
      { type: 'RemoveBranchProtection', data: { ruleName: 'main', at } },
    ];
    for (const change of changes) given(created(), archived).when(change).thenRefused('repository.archived');
  });

  it('keeps its default branch, whatever became it just now', () => {
    const topic = { ...main, ref: 'refs/heads/topic' };
    const gone = (ref: RefUpdate): RefUpdate => ({ ...ref, before: HASH, after: null, committedAt: null });
    const edited: RepositoryEvent = {
      type: 'RepositoryEdited',
      data: { changes: { defaultBranch: 'topic' }, before: { defaultBranch: 'main' }, editedAt: at },
    };
    const past = [created({ empty: false }), updated(8, main, topic), edited];
    given(...past)
      .when(move([gone(topic)]))
      .thenRefused('branch.default');
    given(...past)
      .when(move([gone(main)]))
      .then(updated(8, gone(main)));
    given(...past)
      .when(move([gone(topic)], { pusherId: null }))
      .then(updated(null, gone(topic)));
  });

  it('records nothing of refs that stay where they are', () =>
    given(created({ empty: false }), updated(8, main))
      .when(move([{ ...main, before: HASH }]))
      .then());

  it('says so when it loses its last branch', () => {
    const gone: RefUpdate = { ...main, before: HASH, after: null, committedAt: null };
    const data = { pusherId: null, pushId: 'push', updates: [gone], empties: true, updatedAt: at } as const;
    given(created({ empty: false }), updated(8, main))
      .when(move([gone], { pusherId: null }))
      .then({ type: 'RefsUpdated', data });
    const tag = { ...gone, ref: 'refs/tags/v1' };
    given(created(), updated(8, { ...main, ref: tag.ref }))
      .when(move([tag]))
      .then(updated(8, tag));
  });

  it('takes no refs that were judged before it was archived', () => {
    given(created(), archived)
      .when(move([main], { judgedBy: [] }))
      .thenRefused('repository.archived');
    given(created(), archived)
      .when(move([main]))
      .then(updated(8, main));
  });

  it('takes no branch that was judged by another rule than the one that applies', () => {
    const protects = (ruleName: string, enablePush: boolean) => {
      const data = { ruleName, changes: { enablePush }, at };
      return BranchProtections.decide({ type: 'AddBranchProtection', data }, []);
    };
    const [open, closed] = [protects('main', true), protects('main', false)];
    const judgedBy = open.reduce(
      (rules, event) => BranchProtections.evolve(rules, event),
      BranchProtections.initialState,
    );
    given(created(), ...closed)
      .when(move([main], { judgedBy: [] }))
      .thenRefused(RULES_CHANGED);
    for (const rules of [closed, []])
      given(created(), ...rules)
        .when(move([main], { judgedBy }))
        .thenRefused(RULES_CHANGED);
    given(created(), ...open, ...protects('topic', false))
      .when(move([main], { judgedBy }))
      .then(updated(8, main));
    const many = Array.from({ length: 101 }, (_, index) => ({ ...main, ref: `refs/heads/${index}` }));
    given(created(), ...closed)
      .when(move(many, { judgedBy: [] }))
      .thenRefused(RULES_CHANGED);
    given(created(), ...open)
      .when(move(many, { judgedBy }))
      .then(updated(8, ...many));
    const asked = many.slice(1);
    given(created(), ...open, ...protects('topic', false))
      .when(move(asked, { judgedBy }))
      .then(updated(8, ...asked));
    given(created(), ...open, ...protects('topic', false))
      .when(move(many, { judgedBy }))
      .thenRefused(RULES_CHANGED);
    const tag = { ...main, ref: 'refs/tags/main' };
    given(created(), ...closed)
      .when(move([tag], { judgedBy: [] }))
      .then(updated(8, tag));
  });

  it('takes no branches that would be long to compare, once the rules have changed', () => {
    const rules = ['1', '2', '3', '4'].flatMap((last) => {
      const data = { ruleName: `*${'x'.repeat(253)}${last}`, changes: {}, at };
      return BranchProtections.decide({ type: 'AddBranchProtection', data }, []);
    });
    const branches = (length: number) =>
      Array.from({ length: 100 }, (_, nth) => ({
        ...main,
        ref: `refs/heads/${`${nth}`.padEnd(length, 'y')}`,
      }));
    const few = branches(100);
    given(created(), ...rules)
      .when(move(few, { judgedBy: [] }))
      .then(updated(8, ...few));
    given(created(), ...rules)
      .when(move(branches(230), { judgedBy: [] }))
      .thenRefused(RULES_CHANGED);
  });

  it('gets another default branch only in place of one that goes', () => {
    const renamed = [
      { ...main, ref: 'refs/heads/other' },
      { ...main, before: HASH, after: null, committedAt: null },
    ];
    const defaultBranch = 'other';
    const { type, data } = updated(8, ...renamed);
    const instead = { type, data: { ...data, defaultBranch } } as RepositoryEvent;
    given(created({ empty: false }), updated(8, main))
      .when(move(renamed, { defaultBranch }))
      .then(instead);
    given(created({ empty: false }), updated(8, main), instead)
      .when(move([{ ...main, ref: 'refs/heads/other', before: HASH, after: null, committedAt: null }]))
      .thenRefused('branch.default');
    const topic = { ...main, ref: 'refs/heads/topic' };
    const edited: RepositoryEvent = {
      type: 'RepositoryEdited',
      data: { changes: { defaultBranch: 'topic' }, before: { defaultBranch: 'main' }, editedAt: at },
    };
    given(created({ empty: false }), updated(8, main, topic), edited)
      .when(move(renamed, { defaultBranch }))
      .then(updated(8, ...renamed));
  });

  it('has the same settings besides with another default branch', () => {
    const described: RepositoryEvent = {
      type: 'RepositoryEdited',
      data: { changes: { description: 'new' }, before: { description: '' }, editedAt: at },
    };
    const { type, data } = updated(8, main);
    const first = { type, data: { ...data, defaultBranch: 'main' } } as RepositoryEvent;
    given(created(), described, first)
      .when(edit({ settings: { ...defaultSettings, description: 'new', defaultBranch: 'main' } }))
      .then();
  });

  it('gets the default branch that its first refs name, even beside the one that was set', () => {
    const defaultBranch = 'topic';
    const first = [main, { ...main, ref: 'refs/heads/topic' }];
    const { type, data } = updated(8, ...first);
    given(created())
      .when(move(first, { defaultBranch }))
      .then({ type, data: { ...data, defaultBranch } } as RepositoryEvent);
  });

  it('is after each event what it was before, but for what that says', () => {
    const accountId = 9;
    const rule = { ...BranchProtections.initialState[0], ruleName: 'main' } as BranchProtection;
    const key = { title: 'ci', key: 'ssh-ed25519 AAAA', fingerprint: 'SHA256:a', readOnly: true, addedBy: 8 };
    const transfer = { recipientId: accountId, teamIds: [] };
    const moved = { ownerId: accountId, previousOwnerId: 7, name: 'New', teamIds: [], transferredAt: at };
    const { type, data } = updated(8, { ...main, ref: 'refs/heads/topic' });
    const changes: readonly (readonly [RepositoryEvent, ...(keyof RepositoryState)[]])[] = [
      [updated(8, main), 'refs'],
      [{ type, data: { ...data, defaultBranch: 'topic' } } as RepositoryEvent, 'settings', 'refs'],
      [
        {
          type: 'RepositoryEdited',
          data: { changes: { description: 'new' }, before: { description: '' }, editedAt: at },
        },
        'settings',
      ],
      [
        { type: 'RepositoryRenamed', data: { ownerId: 7, name: 'New', before: 'Code', renamedAt: at } },
        'name',
        'claimsLost',
      ],
      [
        { type: 'RepositoryVisibilityChanged', data: { ownerId: 7, isPrivate: true, changedAt: at } },
        'isPrivate',
      ],
      [archived, 'isArchived'],
      [{ type: 'RepositoryUnarchived', data: { unarchivedAt: at } }, 'isArchived'],
      [{ type: 'CollaboratorAdded', data: { accountId, permission: 'read', addedAt: at } }, 'collaborators'],
      [
        {
          type: 'CollaboratorChanged',
          data: { accountId, permission: 'write', before: 'read', changedAt: at },
        },
        'collaborators',
      ],
      [{ type: 'CollaboratorRemoved', data: { accountId, removedAt: at } }, 'collaborators'],
      [{ type: 'TopicsReplaced', data: { topics: ['sea'], before: [], replacedAt: at } }, 'topics'],
      [{ type: 'DeployKeyAdded', data: { keyId: 1, ...key, addedAt: at } }, 'deployKeys'],
      [{ type: 'DeployKeyRemoved', data: { keyId: 1, removedAt: at } }, 'deployKeys'],
      [{ type: 'BranchProtectionAdded', data: { rule, addedAt: at } }, 'branchProtections'],
      [{ type: 'BranchProtectionEdited', data: { rule, before: rule, editedAt: at } }, 'branchProtections'],
      [{ type: 'BranchProtectionRemoved', data: { ruleName: 'main', removedAt: at } }, 'branchProtections'],
      [
        { type: 'MirrorChanged', data: { mirror: { intervalSeconds: 600, prune: true }, changedAt: at } },
        'mirror',
      ],
      [{ type: 'MirrorPulled', data: { pulledAt: at } }, 'triedAt'],
      [{ type: 'MirrorPullFailed', data: { reason: 'mirror.failed', failedAt: `${at} later` } }, 'triedAt'],
      [
        { type: 'RepositoryTransferRequested', data: { requesterId: 7, ...transfer, requestedAt: at } },
        'transfer',
      ],
      [{ type: 'RepositoryTransferRejected', data: { recipientId: accountId, rejectedAt: at } }, 'transfer'],
      [
        { type: 'RepositoryTransferRequested', data: { requesterId: 7, ...transfer, requestedAt: at } },
        'transfer',
      ],
      [{ type: 'RepositoryTransferred', data: moved }, 'ownerId', 'claimsLost', 'collaborators', 'transfer'],
      [{ type: 'RepositoryDetached', data: { baseId: 5, detachedAt: at } }, 'baseId'],
      [{ type: 'RepositoryClaimLost', data: { lostAt: at } }, 'claimsLost'],
      [deleted, 'status'],
    ];
    let state = Repository.evolve(Repository.initialState, created({ baseId: 5 }));
    for (const [event, ...parts] of changes) {
      const next = Repository.evolve(state, event);
      const others = (Object.keys(state) as (keyof RepositoryState)[]).filter(
        (part) => next[part] !== state[part],
      );
      expect(others, event.type).to.have.members(parts);
      state = next;
    }
  });
});
