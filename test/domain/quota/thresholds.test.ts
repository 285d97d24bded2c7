import { expect } from 'chai';
import fc from 'fast-check';
import type { QuotaGroup } from '../../../src/domain/quota/evaluation.js';
import type { StorageLedgerCommand, StorageLedgerEvent } from '../../../src/domain/quota/storage-ledger.js';
import { StorageLedger } from '../../../src/domain/quota/storage-ledger.js';
import type { Threshold } from '../../../src/domain/quota/thresholds.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const PUBLIC = 'size:repos:public';

const limited = (limit: bigint): readonly QuotaGroup[] => [
  { name: 'small', rules: [{ name: 'few', limit, subjects: ['size:all'] }] },
];
const record = (bytes: number, groups = limited(100n)): StorageLedgerCommand => ({
  type: 'RecordUsage',
  data: { objectId: '1', subject: PUBLIC, bytes: `${bytes}`, groups, at },
});
const recorded = (bytes: number): StorageLedgerEvent => ({
  type: 'UsageRecorded',
  data: { objectId: '1', subject: PUBLIC, bytes: `${bytes}`, total: `${bytes}`, recordedAt: at },
});
const reached = (percent: Threshold, used: number, limit = 100): StorageLedgerEvent => ({
  type: 'QuotaThresholdReached',
  data: {
    group: 'small',
    rule: 'few',
    subjects: ['size:all'],
    limit: `${limit}`,
    used: `${used}`,
    percent,
    reachedAt: at,
  },
});
const left = (percent: 0 | Threshold): StorageLedgerEvent => ({
  type: 'QuotaThresholdLeft',
  data: { group: 'small', rule: 'few', percent, leftAt: at },
});

describe('the thresholds of a quota', () => {
  const { given } = specification(StorageLedger);

  it('are not told of below the first', () => given().when(record(79)).then(recorded(79)));
  it('are told of when they are reached, with the change that did it', () =>
    given().when(record(80)).then(recorded(80), reached(80, 80)));
  it('are told of one by one where a change reaches several', () =>
    given().when(record(150)).then(recorded(150), reached(80, 150), reached(90, 150), reached(100, 150)));
  it('are told of once while they stay reached', () =>
    given(recorded(80), reached(80, 80)).when(record(89)).then(recorded(89)));
  it('are told of again once they were left', () => {
    given(recorded(95), reached(80, 95), reached(90, 95)).when(record(85)).then(recorded(85), left(80));
    given(recorded(95), reached(80, 95), reached(90, 95), recorded(85), left(80))
      .when(record(90))
      .then(recorded(90), reached(90, 90));
    given(recorded(80), reached(80, 80)).when(record(10)).then(recorded(10), left(0));
  });
  it('are those of the limit as it is with the next change of what is stored', () =>
    given(recorded(50))
      .when(record(51, limited(51n)))
      .then(recorded(51), reached(80, 51, 51), reached(90, 51, 51), reached(100, 51, 51)));
  it('are told of again under a limit that was raised beyond what was stored', () => {
    given(recorded(80), reached(80, 80))
      .when(record(160, limited(200n)))
      .then(recorded(160), left(0), reached(80, 160, 200));
    given(recorded(95), reached(80, 95), reached(90, 95))
      .when(record(105, limited(110n)))
      .then(recorded(105), left(80), reached(90, 105, 110));
    given(recorded(95), reached(80, 95), reached(90, 95))
      .when(record(96, limited(101n)))
      .then(recorded(96));
  });
  it('are left with a rule that does not apply any more, or limits nothing any more', () => {
    given(recorded(80), reached(80, 80)).when(record(81, [])).then(recorded(81), left(0));
    given(recorded(80), reached(80, 80))
      .when(record(81, limited(-1n)))
      .then(recorded(81), left(0));
  });
  it('are left once', () => {
    given(recorded(80), reached(80, 80), recorded(10), left(0)).when(record(11, [])).then(recorded(11));
  });
  it('are all reached by the first byte where nothing is allowed', () => {
    given()
      .when(record(1, limited(0n)))
      .then(recorded(1), reached(80, 1, 0), reached(90, 1, 0), reached(100, 1, 0));
    given(recorded(1))
      .when(record(0, limited(0n)))
      .then(recorded(0));
  });
  it('are told of 250 at a time, and of the others with the next changes', () => {
    const rules = Array.from({ length: 100 }, (_, index) => ({
      name: `rule ${index}`,
      limit: 100n,
      subjects: ['size:all'] as const,
    }));
    const groups = [{ name: 'many', rules }];
    let state = StorageLedger.initialState;
    const change = (bytes: number) => {
      const [, ...told] = StorageLedger.decide(record(bytes, groups), state);
      state = told.reduce(
        (before, event) => StorageLedger.evolve(before, event),
        StorageLedger.evolve(state, recorded(bytes)),
      );
      return told.map(({ type }) => type);
    };
    const times = (count: number, type: string) => Array.from({ length: count }, () => type);
    expect(change(100)).to.deep.equal(times(250, 'QuotaThresholdReached'));
    expect(change(101)).to.deep.equal(times(50, 'QuotaThresholdReached'));
    expect(change(102)).to.deep.equal([]);
    expect(change(1)).to.deep.equal(times(100, 'QuotaThresholdLeft'));
  });
  it('are looked at with every way in which what is stored changes', () => {
    const groups = limited(100n);
    const held = { reservationId: 'a', objectId: '1', subject: PUBLIC } as const;
    const reserved: StorageLedgerEvent = {
      type: 'StorageReserved',
      data: {
        ...held,
        bytes: '80',
        expiresAt: at,
        reservedAt: at,
        catalogueRevision: 0,
        membershipRevision: 0,
      },
    };
    const settled: StorageLedgerEvent = {
      type: 'ReservationSettled',
      data: { ...held, bytes: '80', total: '80', settledAt: at },
    };
    given(reserved)
      .when({ type: 'SettleReservation', data: { ...held, bytes: '80', groups, at } })
      .then(settled, reached(80, 80));
    given(reserved)
      .when({
        type: 'SettleOverdue',
        data: { overdue: [{ reservationId: 'a', bytes: '80' }], groups, at },
      })
      .then(settled, reached(80, 80));
    const quota = {
      account: { id: 7, name: 'alice' },
      groups,
      catalogueRevision: 0,
      membershipRevision: 0,
      position: 0n,
      overdue: [{ reservationId: 'a', bytes: '80' }],
    };
    given(reserved)
      .when({ type: 'CheckRoom', data: { subject: PUBLIC, quota, at } })
      .then(settled, reached(80, 80));
    given(recorded(80), reached(80, 80))
      .when({ type: 'ForgetObject', data: { objectId: '1', groups, at } })
      .then(
        {
          type: 'ObjectForgotten',
          data: {
            objectId: '1',
            entries: [{ subject: PUBLIC, bytes: '80', total: '0' }],
            forgottenAt: at,
          },
        },
        left(0),
      );
  });

  it('are told of as often as they are crossed upwards, whatever is stored and however it is limited', () => {
    const change = fc.record({ bytes: fc.nat(200), limit: fc.bigInt({ min: -1n, max: 150n }) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        let state = StorageLedger.initialState;
        let stored = 0;
        const above = new Set<Threshold>();
        for (const { bytes, limit } of changes) {
          const events = StorageLedger.decide(record(bytes, limited(limit)), state);
          state = events.reduce((before, event) => StorageLedger.evolve(before, event), state);
          if (bytes === stored) {
            expect(events).to.deep.equal([]);
            continue;
          }
          const told = events.flatMap((event) =>
            event.type === 'QuotaThresholdReached' ? [event.data.percent] : [],
          );
          const reaches = (used: number, percent: Threshold) =>
            limit >= 0n && used > 0 && BigInt(used) * 100n >= limit * BigInt(percent);
          const crossed = ([80, 90, 100] as const).filter((percent) => {
            const wasAbove = above.has(percent) && reaches(stored, percent); // or the limit was raised since
            const isAbove = reaches(bytes, percent);
            if (isAbove) above.add(percent);
            else above.delete(percent);
            return isAbove && !wasAbove;
          });
          stored = bytes;
          expect(told).to.deep.equal(crossed);
        }
      }),
    );
  });
});
