import { expect } from 'chai';
import fc from 'fast-check';
import {
  applicableGroups,
  evaluate,
  UNLIMITED,
  type QuotaGroup,
} from '../../../src/domain/quota/evaluation.js';
import {
  covers,
  isQuotaSubject,
  usageSubjects,
  usedUnder,
  type QuotaSubject,
  type Usage,
} from '../../../src/domain/quota/subjects.js';

const MiB = 1_048_576n;
type RuleOf = readonly [limit: bigint, ...subjects: QuotaSubject[]];

const group = (...rules: readonly RuleOf[]): QuotaGroup => ({
  name: 'group',
  rules: rules.map(([limit, ...subjects], index) => ({ name: `rule ${index}`, limit, subjects })),
});
const allowed = (groups: readonly QuotaGroup[], usage: Usage, subject: QuotaSubject, incoming?: bigint) =>
  evaluate(groups, usage, subject, incoming).allowed;
const noGroups = (total: bigint) => applicableGroups([], { groups: [], total });

describe('quota evaluation', () => {
  describe('the worked cases', () => {
    const someUsed: Usage = { 'size:repos:public': 1024n };
    const shared: RuleOf = [
      1024n,
      'size:assets:attachments:releases',
      'size:assets:packages:all',
      'size:git:lfs',
    ];
    const sharedUsed: Usage = {
      'size:assets:attachments:releases': 256n,
      'size:assets:packages:all': 2560n,
      'size:git:lfs': 256n,
    };

    it('no groups, no default limit: everything is allowed', () => {
      for (const subject of [
        'size:all',
        'size:repos:all',
        'size:git:lfs',
        'size:assets:wiki',
        'none',
      ] as const) {
        expect(allowed(noGroups(UNLIMITED), someUsed, subject)).to.equal(true);
      }
    });
    it('no groups, default total 1 MiB: size:all and size:repos:all are allowed below it', () => {
      expect(allowed(noGroups(MiB), someUsed, 'size:all')).to.equal(true);
      expect(allowed(noGroups(MiB), someUsed, 'size:repos:all')).to.equal(true);
      expect(allowed(noGroups(MiB), { 'size:repos:public': MiB }, 'size:repos:all')).to.equal(false);
    });
    it('{[size:all] 0} denies size:repos:all', () => {
      expect(allowed([group([0n, 'size:all'])], someUsed, 'size:repos:all')).to.equal(false);
    });
    it('{[size:all] 0} denies size:all though nothing is used', () => {
      expect(allowed([group([0n, 'size:all'])], {}, 'size:all')).to.equal(false);
    });
    it('{[size:git:lfs] -1} allows size:repos:all, which it does not cover', () => {
      expect(allowed([group([UNLIMITED, 'size:git:lfs'])], someUsed, 'size:repos:all')).to.equal(true);
    });
    it('{[size:git:lfs] 500} allows size:repos:all, which it does not cover', () => {
      expect(allowed([group([500n, 'size:git:lfs'])], someUsed, 'size:repos:all')).to.equal(true);
    });
    it('{[size:repos:all] 15 MiB} allows a branch: the leaf is under its limit', () => {
      const groups = [group([15n * MiB, 'size:repos:all'])];
      expect(allowed(groups, someUsed, 'size:repos:public')).to.equal(true);
      expect(allowed(groups, someUsed, 'size:git:all')).to.equal(true);
    });
    it('{[size:all] -1, [size:all] 0} in one group denies', () => {
      expect(allowed([group([UNLIMITED, 'size:all'], [0n, 'size:all'])], someUsed, 'size:all')).to.equal(
        false,
      );
    });
    it('{[size:all] 0} and {[size:all] -1} in two groups allow', () => {
      const groups = [group([0n, 'size:all']), group([UNLIMITED, 'size:all'])];
      expect(allowed(groups, someUsed, 'size:all')).to.equal(true);
    });
    it('{[size:all] 0, [size:repos:all] 15 MiB} denies size:repos:all', () => {
      const groups = [group([0n, 'size:all'], [15n * MiB, 'size:repos:all'])];
      expect(allowed(groups, someUsed, 'size:repos:all')).to.equal(false);
    });
    it('one rule over releases, packages and LFS denies each when they are over it together', () => {
      for (const subject of shared.slice(1) as QuotaSubject[]) {
        expect(allowed([group(shared)], sharedUsed, subject)).to.equal(false);
      }
    });
    it('the same rule allows size:repos:all', () => {
      expect(allowed([group(shared)], sharedUsed, 'size:repos:all')).to.equal(true);
    });
    it('a rule of 1024 with exactly 1024 used denies its subject', () => {
      expect(allowed([group([1024n, 'size:repos:all'])], someUsed, 'size:repos:all')).to.equal(false);
    });
  });

  it('lets a known size fill the limit exactly and no further', () => {
    const groups = [group([1024n, 'size:all'])];
    const usage: Usage = { 'size:repos:private': 1000n };
    expect(allowed(groups, usage, 'size:repos:private', 24n)).to.equal(true);
    expect(allowed(groups, usage, 'size:repos:private', 25n)).to.equal(false);
  });
  it('lets no bytes of known size pass where the limit is reached, and refuses an unknown size', () => {
    const groups = [group([0n, 'size:all'])];
    expect(allowed(groups, {}, 'size:repos:private', 0n)).to.equal(true);
    expect(allowed(groups, {}, 'size:repos:private')).to.equal(false);
  });
  it('hears no group that says nothing of the subject, where another refuses', () => {
    const groups = [group([UNLIMITED, 'size:git:lfs']), group([0n, 'size:repos:all'])];
    expect(allowed(groups, {}, 'size:repos:public')).to.equal(false);
  });
  it('lets a group allow whatever its rules over other subjects say', () => {
    const groups = [group([UNLIMITED, 'size:repos:all'], [0n, 'size:git:lfs']), group([0n, 'size:all'])];
    expect(allowed(groups, {}, 'size:repos:public')).to.equal(true);
  });
  it('does not apply a rule over a part to the whole', () => {
    expect(allowed([group([0n, 'size:repos:public'])], {}, 'size:repos:all')).to.equal(true);
  });
  it('says for each group that refused which rule did, its limit and what it saw', () => {
    const groups = [
      { name: 'first', rules: [{ name: 'tight', limit: 5n, subjects: ['size:repos:all'] as const }] },
      { name: 'second', rules: [{ name: 'none', limit: 0n, subjects: ['size:all'] as const }] },
    ];
    expect(
      evaluate(groups, { 'size:repos:public': 7n, 'size:git:lfs': 2n }, 'size:repos:public'),
    ).to.deep.equal({
      allowed: false,
      refusals: [
        { group: 'first', rule: 'tight', limit: 5n, used: 7n },
        { group: 'second', rule: 'none', limit: 0n, used: 9n },
      ],
    });
  });

  describe('which groups apply', () => {
    const own = group([1n, 'size:all']);
    const byDefault = group([2n, 'size:all']);
    it('the account’s own switch the defaults off', () => {
      expect(applicableGroups([own], { groups: [byDefault], total: 3n })).to.deep.equal([own]);
    });
    it('else the default groups', () => {
      expect(applicableGroups([], { groups: [byDefault], total: 3n })).to.deep.equal([byDefault]);
    });
    it('else the default total over everything', () => {
      expect(allowed(noGroups(3n), { 'size:git:lfs': 3n }, 'size:assets:wiki')).to.equal(false);
      expect(allowed(noGroups(3n), { 'size:git:lfs': 2n }, 'size:assets:wiki')).to.equal(true);
    });
  });

  describe('the laws', () => {
    const subjects: QuotaSubject[] = [
      'none',
      'size:all',
      'size:git:all',
      'size:repos:all',
      'size:assets:all',
      'size:assets:attachments:all',
      'size:assets:wiki',
      ...usageSubjects,
    ];
    const subject = fc.constantFrom(...subjects);
    const bytes = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    const usage: fc.Arbitrary<Usage> = fc
      .dictionary(fc.constantFrom(...usageSubjects), bytes)
      .map((used) => used as Usage);
    const rules = fc.array(
      fc.record({
        name: fc.string(),
        limit: fc.oneof(fc.constant(UNLIMITED), bytes),
        subjects: fc.uniqueArray(subject, { maxLength: 4 }),
      }),
      { maxLength: 4 },
    );
    const groups = fc.array(fc.record({ name: fc.string(), rules }), { maxLength: 4 });

    it('adding bytes never turns a refusal into a permission', () => {
      fc.assert(
        fc.property(
          groups,
          usage,
          subject,
          fc.constantFrom(...usageSubjects),
          bytes,
          (all, used, of, leaf, more) => {
            const grown = { ...used, [leaf]: (used[leaf] ?? 0n) + more };
            if (allowed(all, grown, of)) expect(allowed(all, used, of)).to.equal(true);
          },
        ),
      );
    });
    it('what passes with a size of at least one byte passes while the size is unknown', () => {
      fc.assert(
        fc.property(groups, usage, subject, bytes, (all, used, of, size) => {
          if (allowed(all, used, of, size + 1n)) expect(allowed(all, used, of)).to.equal(true);
        }),
      );
    });
    it('a group that speaks and allows makes every other group irrelevant', () => {
      fc.assert(
        fc.property(groups, usage, subject, (all, used, of) => {
          const open = { name: 'open', rules: [{ name: 'open', limit: UNLIMITED, subjects: [of] }] };
          expect(allowed([...all, open], used, of)).to.equal(true);
        }),
      );
    });
    it('the order of groups and rules does not matter', () => {
      fc.assert(
        fc.property(groups, usage, subject, (all, used, of) => {
          const turned = all.map((one) => ({ ...one, rules: one.rules.toReversed() })).reverse();
          expect(allowed(turned, used, of)).to.equal(allowed(all, used, of));
        }),
      );
    });
    it('what a rule counts is never more than everything, and counts no byte twice', () => {
      fc.assert(
        fc.property(fc.array(subject), usage, (listed, used) => {
          expect(usedUnder(listed, used) <= usedUnder(['size:all'], used)).to.equal(true);
          expect(usedUnder([...listed, ...listed], used)).to.equal(usedUnder(listed, used));
        }),
      );
    });
    it('a subject covers itself, and what covers it covers what is below it', () => {
      for (const a of subjects) {
        expect(covers(a, a)).to.equal(true);
        expect(covers('size:all', a)).to.equal(a !== 'none');
        for (const b of subjects)
          for (const c of subjects) if (covers(a, b) && covers(b, c)) expect(covers(a, c)).to.equal(true);
      }
    });
  });

  it('knows its fourteen subjects by exact spelling', () => {
    expect(isQuotaSubject('size:git:lfs')).to.equal(true);
    for (const text of ['size:git:LFS', 'SIZE:ALL', '', 'constructor', ' size:all'])
      expect(isQuotaSubject(text)).to.equal(false);
  });
});
