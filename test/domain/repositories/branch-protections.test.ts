import { expect } from 'chai';
import type { BranchProtection } from '../../../src/domain/repositories/branch-protection.js';
import {
  BranchProtections,
  type BranchProtectionsEvent,
  type ProtectionChanges,
} from '../../../src/domain/repositories/branch-protections.js';
import {
  asksForFiles,
  mayMerge,
  mayPush,
  protectionFor,
  refusalByRule,
} from '../../../src/domain/repositories/branch-rules.js';
import { processorTime } from '../../support/processor-time.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const { given } = specification(BranchProtections);

const ruleOf = (ruleName: string, changes: ProtectionChanges = {}): BranchProtection => ({
  enablePush: false,
  enablePushWhitelist: false,
  pushWhitelistUserIds: [],
  pushWhitelistTeamIds: [],
  pushWhitelistDeployKeys: false,
  enableMergeWhitelist: false,
  mergeWhitelistUserIds: [],
  mergeWhitelistTeamIds: [],
  enableStatusCheck: false,
  statusCheckContexts: [],
  requiredApprovals: 0,
  enableApprovalsWhitelist: false,
  approvalsWhitelistUserIds: [],
  approvalsWhitelistTeamIds: [],
  blockOnRejectedReviews: false,
  blockOnOfficialReviewRequests: false,
  blockOnOutdatedBranch: false,
  dismissStaleApprovals: false,
  ignoreStaleApprovals: false,
  requireSignedCommits: false,
  protectedFilePatterns: '',
  unprotectedFilePatterns: '',
  applyToAdmins: false,
  ...changes,
  ruleName,
  createdAt: at,
  updatedAt: at,
});
const added = (ruleName: string, changes?: ProtectionChanges): BranchProtectionsEvent => ({
  type: 'BranchProtectionAdded',
  data: { rule: ruleOf(ruleName, changes), addedAt: at },
});
const add = (ruleName: string, changes: ProtectionChanges = {}) =>
  ({ type: 'AddBranchProtection', data: { ruleName, changes, at } }) as const;
const edit = (ruleName: string, changes: ProtectionChanges) =>
  ({ type: 'EditBranchProtection', data: { ruleName, changes, at } }) as const;
const remove = (ruleName: string) => ({ type: 'RemoveBranchProtection', data: { ruleName, at } }) as const;

describe('the rules over branches', () => {
  it('shut everybody out unless they say otherwise', () => given().when(add('main')).then(added('main')));
  it('say what is given', () =>
    given()
      .when(add('v*', { enablePush: true, requiredApprovals: 2 }))
      .then(added('v*', { enablePush: true, requiredApprovals: 2 })));
  it('have names', () => given().when(add('')).thenRefused('branch_protection.rule_missing'));
  it('have no endless names', () => {
    for (const letter of ['x', '🌱'])
      given()
        .when(add(letter.repeat(256)))
        .thenRefused('branch_protection.rule_long');
  });
  it('are no more than can be asked about each branch', () => {
    const rules = Array.from({ length: 100 }, (_, index) => added(`v${index}`));
    given(...rules)
      .when(add('main'))
      .thenRefused('branch_protection.too_many');
    given(...rules.slice(1))
      .when(add('main'))
      .then(added('main'));
    given(...rules)
      .when(remove('v1'))
      .then({ type: 'BranchProtectionRemoved', data: { ruleName: 'v1', removedAt: at } });
  });
  it('may have long ones', () => {
    for (const letter of ['x', '🌱']) {
      const name = letter.repeat(255);
      given().when(add(name)).then(added(name));
    }
  });
  it('have no more contexts than a page of branches can show', () => {
    const contexts = (bytes: number) => ({ statusCheckContexts: ['🌱'.repeat(bytes / 4 - 1)] }); // and `[""]`
    const most = contexts(32 * 1024);
    given().when(add('main', most)).then(added('main', most));
    const more = contexts(32 * 1024 + 4);
    given().when(add('main', more)).thenRefused('branch_protection.contexts_large');
    given(added('main', most)).when(edit('main', more)).thenRefused('branch_protection.contexts_large');
  });
  it('are together no larger than a new repository can take from its template', () => {
    const userIds = Array.from({ length: 1_000 }, (_, index) => 1_000_000 + index);
    const large = { pushWhitelistUserIds: userIds, mergeWhitelistUserIds: userIds, enablePush: true };
    const rules = Array.from({ length: 32 }, (_, index) => added(`v${index}`, large));
    given(...rules.slice(1))
      .when(add('v0', large))
      .then(added('v0', large));
    given(...rules)
      .when(add('main', large))
      .thenRefused('branch_protection.large');
    given(...rules)
      .when(edit('v1', { approvalsWhitelistUserIds: userIds, approvalsWhitelistTeamIds: userIds }))
      .thenRefused('branch_protection.large');
  });
  it('that were larger before change still, but do not grow', () => {
    const contexts = Array.from({ length: 5_000 }, (_, index) => `context ${index}`);
    const before = Array.from({ length: 10 }, (_, index) =>
      added(`v${index}`, { statusCheckContexts: contexts }),
    );
    for (const changes of [
      { enablePush: true },
      { statusCheckContexts: contexts.slice(1) },
      { statusCheckContexts: [...contexts].reverse(), requiredApprovals: 10 },
    ])
      given(...before)
        .when(edit('v1', changes))
        .then({
          type: 'BranchProtectionEdited',
          data: {
            rule: ruleOf('v1', { statusCheckContexts: contexts, ...changes }),
            before: ruleOf('v1', { statusCheckContexts: contexts }),
            editedAt: at,
          },
        });
    given(...before)
      .when(edit('v1', { statusCheckContexts: [...contexts, 'one more'] }))
      .thenRefused('branch_protection.contexts_large');
    given(...before)
      .when(edit('v1', { protectedFilePatterns: '*' }))
      .thenRefused('branch_protection.large');
    given(...before)
      .when(add('main'))
      .thenRefused('branch_protection.large');
  });
  it('have names of their own', () =>
    given(added('main')).when(add('main')).thenRefused('branch_protection.exists'));
  it('change in what is given', () =>
    given(added('main', { requiredApprovals: 1 }))
      .when(edit('main', { enablePush: true }))
      .then({
        type: 'BranchProtectionEdited',
        data: {
          rule: ruleOf('main', { requiredApprovals: 1, enablePush: true }),
          before: ruleOf('main', { requiredApprovals: 1 }),
          editedAt: at,
        },
      }));
  it('say when they were changed', () => {
    const later = '2026-01-02T00:00:00Z';
    const changes = { enablePush: true };
    given(added('main'))
      .when({ type: 'EditBranchProtection', data: { ruleName: 'main', changes, at: later } })
      .then({
        type: 'BranchProtectionEdited',
        data: {
          rule: { ...ruleOf('main', changes), updatedAt: later },
          before: ruleOf('main'),
          editedAt: later,
        },
      });
  });
  it('change one by one, and are what they were changed to', () => {
    const edited = (ruleName: string): BranchProtectionsEvent => ({
      type: 'BranchProtectionEdited',
      data: { rule: ruleOf(ruleName, { enablePush: true }), before: ruleOf(ruleName), editedAt: at },
    });
    const history = [added('main'), added('v*'), edited('v*')];
    given(...history)
      .when(edit('v*', { enablePush: true }))
      .then();
    given(...history)
      .when(edit('main', { enablePush: true }))
      .then(edited('main'));
  });
  it('are not recorded where nothing changes', () =>
    given(added('main'))
      .when(edit('main', { enablePush: false, statusCheckContexts: [] }))
      .then());
  it('must be there to be changed', () =>
    given().when(edit('main', {})).thenRefused('branch_protection.absent'));
  it('are removed', () =>
    given(added('main'))
      .when(remove('main'))
      .then({ type: 'BranchProtectionRemoved', data: { ruleName: 'main', removedAt: at } }));
  it('are gone once they are removed, and no other with them', () => {
    const history: BranchProtectionsEvent[] = [
      added('main'),
      added('v*'),
      { type: 'BranchProtectionRemoved', data: { ruleName: 'main', removedAt: at } },
    ];
    given(...history)
      .when(remove('main'))
      .thenRefused('branch_protection.absent');
    given(...history)
      .when(add('v*'))
      .thenRefused('branch_protection.exists');
  });
  it('must be there to be removed', () =>
    given().when(remove('main')).thenRefused('branch_protection.absent'));

  it('apply by the very name first, then by the oldest glob', () => {
    const rules = ['release/*', 'rel**', 'Release/1'].map((name) => ruleOf(name));
    const nameFor = (branch: string) => protectionFor(branch, rules)?.ruleName;
    expect(nameFor('release/1')).to.equal('Release/1');
    expect(nameFor('RELEASE/1')).to.equal('Release/1');
    expect(nameFor('release/2')).to.equal('release/*');
    expect(nameFor('release/2/3')).to.equal('rel**');
    expect(nameFor('main')).to.equal(undefined);
  });
});

describe('who may push to a protected branch', () => {
  const writer = { accountId: 1, teamIds: [5], writes: true };
  const reader = { ...writer, writes: false };
  const listed = (changes: ProtectionChanges) =>
    ruleOf('main', { enablePush: true, enablePushWhitelist: true, ...changes });

  it('is nobody unless pushing is enabled', () => {
    expect(mayPush(ruleOf('main', { pushWhitelistUserIds: [1] }), writer)).to.equal(false);
  });
  it('is every writer without a list, and no reader', () => {
    const rule = ruleOf('main', { enablePush: true });
    expect([mayPush(rule, writer), mayPush(rule, reader)]).to.deep.equal([true, false]);
  });
  it('is whoever is listed, or in a listed team', () => {
    expect(mayPush(listed({}), writer)).to.equal(false);
    expect(mayPush(listed({ pushWhitelistUserIds: [1] }), writer)).to.equal(true);
    expect(mayPush(listed({ pushWhitelistTeamIds: [5] }), writer)).to.equal(true);
    expect(mayPush(listed({ pushWhitelistTeamIds: [5] }), { ...writer, teamIds: [4, 5] })).to.equal(true);
    expect(mayPush(listed({ pushWhitelistTeamIds: [5] }), { ...writer, teamIds: [] })).to.equal(false);
    expect(mayPush(listed({ pushWhitelistUserIds: [1] }), reader)).to.equal(false);
  });
  it('merges by a list of its own, or as a writer', () => {
    const rule = ruleOf('main', { enableMergeWhitelist: true, mergeWhitelistTeamIds: [6] });
    expect([mayMerge(ruleOf('main'), writer), mayMerge(ruleOf('main'), reader)]).to.deep.equal([true, false]);
    expect([mayMerge(rule, writer), mayMerge(rule, { ...writer, teamIds: [6] })]).to.deep.equal([
      false,
      true,
    ]);
  });
});

describe('what a rule refuses', () => {
  const writer = { accountId: 1, teamIds: [], writes: true };
  const change = (...files: string[]) => ({ deletes: false, forces: false, files });
  const open = ruleOf('main', { enablePush: true });

  it('is not what it allows', () => {
    expect(refusalByRule(open, writer, change('a'))).to.equal(undefined);
    expect(asksForFiles(open, writer)).to.equal(false);
  });
  it('is deleting and forcing, by whomever', () => {
    expect(refusalByRule(open, writer, { ...change(), deletes: true })).to.match(/deletion/);
    expect(refusalByRule(open, writer, { ...change(), forces: true })).to.match(/forced/);
  });
  it('is pushing where that is not enabled', () => {
    expect(refusalByRule(ruleOf('main'), writer, change())).to.match(/pushes/);
    expect(asksForFiles(ruleOf('main'), writer)).to.equal(false);
  });
  it('is touching protected files', () => {
    const rule = ruleOf('main', { enablePush: true, protectedFilePatterns: 'docs/**; LICENSE ;' });
    expect(asksForFiles(rule, writer)).to.equal(true);
    expect(asksForFiles({ ...rule, protectedFilePatterns: 'docs/**' }, writer)).to.equal(true);
    expect(refusalByRule(rule, writer, change('a', 'license'))).to.match(/changes to license/);
    expect(refusalByRule(rule, writer, change('a', 'LICENSE'))).to.match(/changes to LICENSE/);
    expect(refusalByRule(rule, writer, change('a', 'docs/a/b'))).to.match(/changes to docs\/a\/b/);
    expect(refusalByRule(rule, writer, change('a', 'b'))).to.equal(undefined);
  });
  it('is not a change of unprotected files alone', () => {
    const rule = ruleOf('main', { unprotectedFilePatterns: '*.md' });
    expect(asksForFiles(rule, writer)).to.equal(true);
    expect(asksForFiles({ ...rule, enablePush: true }, writer)).to.equal(false);
    expect(refusalByRule(rule, writer, change('README.md', 'b.md'))).to.equal(undefined);
    expect(refusalByRule(rule, writer, change('README.md'))).to.equal(undefined);
    expect(refusalByRule(rule, writer, change('README.md', 'b.c'))).to.match(/pushes/);
    expect(refusalByRule(rule, writer, change())).to.match(/pushes/);
    expect(refusalByRule(rule, { ...writer, writes: false }, change('README.md'))).to.match(/pushes/);
  });
  it('is asked for one file after the other as fast as for all at once', async () => {
    const pattern = `*${'?'.repeat(1_022)}b`;
    const rule = ruleOf('main', { protectedFilePatterns: pattern, unprotectedFilePatterns: pattern });
    const taken = await processorTime(() => {
      for (let nth = 0; nth < 3_000; nth += 1) refusalByRule(rule, writer, change(`${nth}`));
    });
    expect(taken).to.be.below(1_000);
  });
});
