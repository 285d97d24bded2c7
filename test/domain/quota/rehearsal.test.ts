import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../src/domain/errors.js';
import type { QuotaGroup, QuotaRule } from '../../../src/domain/quota/evaluation.js';
import { ProposedLimits, type Catalogue, type QuotaProposal } from '../../../src/domain/quota/proposal.js';
import { overLimits, replay } from '../../../src/domain/quota/rehearsal.js';
import type { QuotaFacts } from '../../../src/domain/quota/storage-ledger-messages.js';
import {
  StorageLedger,
  type StorageLedgerCommand,
  type StorageLedgerEvent,
} from '../../../src/domain/quota/storage-ledger.js';
import { emptyLedger } from '../../../src/domain/quota/storage-ledger-state.js';
import type { QuotaSubject } from '../../../src/domain/quota/subjects.js';

const PUBLIC = 'size:repos:public';
const at = '2026-01-01T00:00:00.000Z';

const rule = (name: string, limit: bigint, ...subjects: QuotaSubject[]): QuotaRule => ({
  name,
  limit,
  subjects,
});
const group = (name: string, ...rules: QuotaRule[]): QuotaGroup => ({ name, rules });

describe('a rehearsal of quotas', () => {
  describe('of limits that are proposed', () => {
    const small = rule('small', 10n, 'size:all');
    const large = rule('large', 100n, 'size:all');
    const now: Catalogue = {
      rules: [small, large],
      groups: [group('basic', small), group('gold', large)],
      defaults: { groups: ['basic'], total: 1_000n },
    };
    const accounts = new Map([['ann', 1]]);
    const groupsOf = (proposal: QuotaProposal, ...current: string[]) =>
      new ProposedLimits(now, proposal, accounts).groupsOf(1, new Set(current));
    const refused = (proposal: QuotaProposal) => {
      try {
        groupsOf(proposal);
      } catch (error) {
        if (error instanceof DomainError) return error.message;
        throw error;
      }
      throw new Error('not refused');
    };

    it('leaves what it does not name as it is', () => {
      expect(groupsOf({}, 'gold')).to.deep.equal([group('gold', large)]);
      expect(groupsOf({})).to.deep.equal([group('basic', small)]);
    });
    it('replaces a rule in every group that has it', () =>
      expect(
        groupsOf({ rules: [{ name: 'large', limit: 7n, subjects: ['size:git:lfs'] }] }, 'gold'),
      ).to.deep.equal([group('gold', rule('large', 7n, 'size:git:lfs'))]));
    it('takes a rule without a limit', () =>
      expect(
        groupsOf({ rules: [{ name: 'large', limit: -1n, subjects: ['size:all'] }] }, 'gold'),
      ).to.deep.equal([group('gold', rule('large', -1n, 'size:all'))]));
    it('replaces the rules of a group, and keeps its members', () => {
      const groups = [{ name: 'gold', rules: ['small', 'large'] }];
      expect(groupsOf({ groups }, 'gold')).to.deep.equal([group('gold', large, small)]);
      expect(groupsOf({ groups })).to.deep.equal([group('basic', small)]);
    });
    it('replaces the members of a group where it names them', () => {
      const silver = { name: 'silver', rules: ['large'] };
      expect(groupsOf({ groups: [{ ...silver, members: ['Ann'] }] })).to.deep.equal([group('silver', large)]);
      expect(groupsOf({ groups: [{ name: 'gold', rules: ['large'], members: [] }] }, 'gold')).to.deep.equal([
        group('basic', small),
      ]);
    });
    it('replaces what applies to accounts in no group', () => {
      expect(groupsOf({ default_groups: ['gold'] })).to.deep.equal([group('gold', large)]);
      expect(groupsOf({ default_groups: [] })).to.deep.equal([
        group('default', rule('default', 1_000n, 'size:all')),
      ]);
    });
    it('is refused where it names what there is not', () => {
      expect(refused({ groups: [{ name: 'gold', rules: ['none'] }] })).to.include('"none"');
      expect(refused({ groups: [{ name: 'gold', rules: [], members: ['bob'] }] })).to.include('"bob"');
      expect(refused({ default_groups: ['none'] })).to.include('"none"');
      expect(refused({ rules: [{ name: 'new', limit: -2n, subjects: [] }] })).to.include('-1');
      expect(refused({ rules: [{ name: 'new', limit: 1n, subjects: ['size'] }] })).to.include('"size"');
    });
  });

  describe('of what is stored', () => {
    const over = (groups: readonly QuotaGroup[]) =>
      overLimits(groups, { [PUBLIC]: 10n }).map(({ rule: name, overBy }) => [name, overBy]);

    it('is over a limit that it does not fit, by so much, and not over one that it fills', () => {
      expect(over([group('basic', rule('few', 9n, 'size:all'))])).to.deep.equal([['few', 1n]]);
      expect(over([group('basic', rule('few', 10n, 'size:all'))])).to.deep.equal([]);
      expect(over([group('basic', rule('none', -1n, 'size:all'))])).to.deep.equal([]);
    });
    it('is told once of each rule, whatever it covers', () =>
      expect(
        over([
          group('basic', rule('few', 1n, 'size:all')),
          group('gold', rule('many', 2n, 'size:repos:all')),
        ]),
      ).to.deep.equal([
        ['few', 9n],
        ['many', 8n],
      ]));
    it('is told of every rule of a group, not only of the first that refuses', () =>
      expect(
        over([
          group(
            'basic',
            rule('all', 9n, 'size:all'),
            rule('fits', 10n, 'size:all'),
            rule('public', 4n, PUBLIC),
          ),
        ]),
      ).to.deep.equal([
        ['all', 1n],
        ['public', 6n],
      ]));
    it('is told what the rule that it is over covers', () => {
      const groups = [
        group('basic', rule('lfs', 0n, 'size:git:lfs'), rule('few', 1n, 'size:all')),
        group('gold', rule('few', 2n, 'size:repos:all')),
      ];
      expect(overLimits(groups, { [PUBLIC]: 10n }).map(({ subjects }) => subjects)).to.deep.equal([
        ['size:all'],
        ['size:repos:all'],
      ]);
    });
    it('is not over where another group allows it', () =>
      expect(
        over([group('basic', rule('few', 0n, 'size:all')), group('gold', rule('many', 10n, 'size:all'))]),
      ).to.deep.equal([]));
  });

  describe('of what was done', () => {
    const limited = (limit: bigint) => [group('basic', rule('few', limit, 'size:all'))];
    const step = fc.oneof(
      fc.record({ do: fc.constant('reserve' as const), object: fc.nat(3), bytes: fc.nat(40) }),
      fc.record({ do: fc.constant('make' as const), object: fc.nat(3), bytes: fc.nat(40) }),
      fc.record({ do: fc.constant('renew' as const), object: fc.nat(3), bytes: fc.nat(60) }),
      fc.record({ do: fc.constant('settle' as const), object: fc.nat(3), bytes: fc.nat(40) }),
      fc.record({ do: fc.constant('release' as const), object: fc.nat(3), bytes: fc.nat(1) }),
    );
    const quota = (limit: bigint): QuotaFacts => ({
      account: { id: 1, name: 'ann' },
      groups: limited(limit),
      catalogueRevision: 0,
      membershipRevision: 0,
      position: 0n,
      overdue: [],
    });

    it('counts as operations what asked for room: reservations, and renewals that add to them', () => {
      const decidedOn = { catalogueRevision: 0, membershipRevision: 0, expiresAt: at };
      const of = { reservationId: 'a', objectId: '1', subject: PUBLIC } as const;
      const events: readonly StorageLedgerEvent[] = [
        { type: 'StorageReserved', data: { ...of, bytes: '4', ...decidedOn, reservedAt: at } },
        { type: 'ReservationRenewed', data: { ...of, bytes: '4', ...decidedOn, renewedAt: at } },
        { type: 'ReservationRenewed', data: { ...of, bytes: '6', ...decidedOn, renewedAt: at } },
        {
          type: 'ReservationRenewed',
          data: { ...of, bytes: '99', needed: '9', ...decidedOn, renewedAt: at },
        },
        { type: 'ReservationRenewed', data: { ...of, bytes: '20', ...decidedOn, renewedAt: at } },
        { type: 'ReservationSettled', data: { ...of, bytes: '20', total: '20', settledAt: at } },
      ];
      let state = emptyLedger;
      const counted = events.map((event) => {
        const replayed = replay(state, event, limited(1n));
        state = replayed.state;
        return [replayed.isOperation, replayed.refused?.size];
      });
      expect(counted).to.deep.equal([
        [true, 4n],
        [false, undefined],
        [true, 2n],
        [true, 3n], // what was kept ahead of the need would not have been asked for,
        [true, 11n], // and what was needed of it in the end would
        [false, undefined],
      ]);
    });
    it('refuses what takes no bytes where nothing is left, as enforcement does', () => {
      const data = {
        ...({ reservationId: 'a', objectId: '1', subject: PUBLIC, bytes: '0' } as const),
        ...{ catalogueRevision: 0, membershipRevision: 0, expiresAt: at, reservedAt: at },
      };
      const { refused } = replay(emptyLedger, { type: 'StorageReserved', data }, limited(0n));
      expect(refused).to.include({ group: 'basic', rule: 'few', subject: PUBLIC, size: 1n });
    });
    it('refuses what enforcement would have refused then, and nothing else', () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 30 }), fc.bigInt(0n, 120n), (steps, limit) => {
          let recorded = StorageLedger.initialState;
          let played = emptyLedger;
          for (const { do: what, object, bytes } of steps) {
            const command = (facts: QuotaFacts): StorageLedgerCommand => {
              const reservationId = `reservation ${object}`;
              const of = { objectId: `${object}`, subject: PUBLIC, bytes: `${bytes}` } as const;
              switch (what) {
                case 'reserve':
                case 'make': {
                  const sizeUnknown = what === 'make';
                  return {
                    type: 'ReserveStorage',
                    data: { ...of, reservationId, sizeUnknown, expiresAt: at, quota: facts, at },
                  };
                }
                case 'renew':
                  return {
                    type: 'RenewReservation',
                    data: { reservationId, bytes: of.bytes, expiresAt: at, quota: facts, at },
                  };
                case 'settle':
                  return { type: 'SettleReservation', data: { ...of, reservationId, groups: [], at } };
                case 'release':
                  return { type: 'ReleaseReservation', data: { reservationId, at } };
              }
            };
            const decided = (facts: QuotaFacts) => {
              try {
                return StorageLedger.decide(command(facts), recorded);
              } catch (error) {
                if (error instanceof DomainError) return error.code;
                throw error;
              }
            };
            const enforced = decided(quota(limit));
            const allowed = decided(quota(-1n));
            if (typeof allowed === 'string') continue; // nothing to renew
            const replays = allowed.map((event) => {
              const replayed = replay(played, event, limited(limit));
              played = replayed.state;
              recorded = StorageLedger.evolve(recorded, event);
              return replayed;
            });
            const refused = replays.some((replayed) => replayed.refused !== undefined);
            expect(refused).to.equal(enforced === 'quota.exceeded');
            expect(played.usage).to.deep.equal(recorded.usage);
          }
        }),
      );
    });
  });
});
