import { expect } from 'chai';
import type { QuotaFacts } from '../../../src/domain/quota/storage-ledger-messages.js';
import {
  StorageLedger,
  type StorageLedgerCommand,
  type StorageLedgerEvent,
} from '../../../src/domain/quota/storage-ledger.js';
import { overdueReservations } from '../../../src/domain/quota/storage-ledger-state.js';
import { QuotaExceeded } from '../../../src/domain/quota/quota-exceeded.js';
import type { UsageSubject } from '../../../src/domain/quota/subjects.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const soon = '2026-01-01T00:02:00Z';
const over = '2025-12-31T23:59:59Z';
const PUBLIC = 'size:repos:public';
const PRIVATE = 'size:repos:private';

/** One group of one rule over everything. */
const limit = (bytes: bigint, overdue: QuotaFacts['overdue'] = []): QuotaFacts => ({
  account: { id: 7, name: 'alice' },
  groups: [{ name: 'small', rules: [{ name: 'few bytes', limit: bytes, subjects: ['size:all'] }] }],
  catalogueRevision: 3,
  membershipRevision: 0,
  position: 41n,
  overdue,
});

const object = (reservationId: string, objectId = '1', subject: UsageSubject = PUBLIC) => ({
  reservationId,
  objectId,
  subject,
});
const reserve = (
  bytes: string,
  quota: QuotaFacts,
  given: { readonly sizeUnknown?: true } = {},
): StorageLedgerCommand => ({
  type: 'ReserveStorage',
  data: { ...object('new', '2'), bytes, ...given, expiresAt: soon, quota, at },
});
const reserved = (
  id: string,
  bytes: string,
  { expiresAt = soon, objectId = '1' } = {},
): Extract<StorageLedgerEvent, { type: 'StorageReserved' }> => ({
  type: 'StorageReserved',
  data: {
    ...object(id, objectId),
    bytes,
    expiresAt,
    catalogueRevision: 3,
    membershipRevision: 0,
    reservedAt: at,
  },
});
const recorded = (bytes: string): StorageLedgerEvent => ({
  type: 'UsageRecorded',
  data: { objectId: '1', subject: PUBLIC, bytes, total: bytes, recordedAt: at },
});
const renew = (bytes: string, quota: QuotaFacts): StorageLedgerCommand => ({
  type: 'RenewReservation',
  data: { reservationId: 'a', bytes, expiresAt: soon, quota, at },
});
const renewed = (bytes: string): StorageLedgerEvent => ({
  type: 'ReservationRenewed',
  data: {
    ...object('a'),
    bytes,
    expiresAt: soon,
    catalogueRevision: 3,
    membershipRevision: 0,
    renewedAt: at,
  },
});
const settle = (bytes: string): StorageLedgerCommand => ({
  type: 'SettleReservation',
  data: { ...object('a'), bytes, groups: [], at },
});
const settled = (
  bytes: string,
  total: string,
  subject: UsageSubject = PUBLIC,
): Extract<StorageLedgerEvent, { type: 'ReservationSettled' }> => ({
  type: 'ReservationSettled',
  data: { ...object('a', '1', subject), bytes, total, settledAt: at },
});
const released = (bytes: string, reason: 'failed' | 'expired' | 'forgotten'): StorageLedgerEvent => ({
  type: 'ReservationReleased',
  data: { ...object('a'), bytes, reason, releasedAt: at },
});
const exceeded = 'quota.exceeded';

describe('reservations of a StorageLedger', () => {
  const { given } = specification(StorageLedger);

  it('may fill a limit exactly, and no byte more', () => {
    const asked = reserved('new', '4', { objectId: '2' });
    given(recorded('6'))
      .when(reserve('4', limit(10n)))
      .then(asked);
    given(recorded('6'))
      .when(reserve('5', limit(10n)))
      .thenRefused(exceeded);
  });
  it('of what is new and small pass while there is some room, and hold all that it takes', () => {
    const asked = reserved('new', '5', { objectId: '2' });
    const made = { ...asked, data: { ...asked.data, sizeUnknown: true as const } };
    given(recorded('9'))
      .when(reserve('5', limit(10n), { sizeUnknown: true }))
      .then(made);
    given(recorded('10'))
      .when(reserve('5', limit(10n), { sizeUnknown: true }))
      .thenRefused(exceeded);
    given(recorded('6'), made)
      .when(reserve('1', limit(11n), { sizeUnknown: true }))
      .thenRefused(exceeded);
  });
  it('count what others have reserved as used', () => {
    given(reserved('a', '6'))
      .when(reserve('5', limit(10n)))
      .thenRefused(exceeded);
    given(reserved('a', '6'), released('6', 'failed'))
      .when(reserve('5', limit(10n)))
      .then(reserved('new', '5', { objectId: '2' }));
  });
  it('take room ahead of the need as far as there is some, less and less near a limit', () => {
    const MIB = 1024n * 1024n;
    const ahead = (limited: bigint): StorageLedgerCommand => ({
      type: 'RenewReservation',
      data: {
        reservationId: 'a',
        bytes: '10',
        ahead: `${4n * MIB}`,
        expiresAt: soon,
        quota: limit(limited),
        at,
      },
    });
    const kept = (bytes: bigint): StorageLedgerEvent => {
      const { type, data } = renewed(`${10n + bytes}`) as Extract<
        StorageLedgerEvent,
        { type: 'ReservationRenewed' }
      >;
      return { type, data: { ...data, ...(bytes > 0n && { needed: '10' }) } };
    };
    for (const [room, fitting] of [
      [10n * MIB, 4n * MIB],
      [4n * MIB + 10n, 4n * MIB],
      [4n * MIB + 9n, MIB],
      [MIB, MIB / 4n],
      [70_000n, 65_536n],
      [65_000n, 0n],
      [10n, 0n],
    ] as const)
      given(reserved('a', '0')).when(ahead(room)).then(kept(fitting));
    given(reserved('a', '0')).when(ahead(9n)).thenRefused(exceeded);
  });
  it('take a little even where nothing can be measured, so that at the limit nothing passes', () => {
    given(recorded('10'))
      .when(reserve('0', limit(10n)))
      .thenRefused(exceeded);
    given()
      .when(reserve('0', limit(0n)))
      .thenRefused(exceeded);
    given(recorded('9'))
      .when(reserve('0', limit(10n)))
      .then(reserved('new', '0', { objectId: '2' }));
  });
  it('say which rule refused, what it saw and where', () => {
    const state = StorageLedger.evolve(StorageLedger.initialState, reserved('a', '6'));
    let refusal: unknown;
    try {
      StorageLedger.decide(reserve('5', limit(10n)), state);
    } catch (error) {
      refusal = error;
    }
    if (!(refusal instanceof QuotaExceeded)) throw new Error('it should have been refused');
    expect(refusal.account).to.deep.equal({ id: 7, name: 'alice' });
    expect(refusal.reason).to.deep.equal({
      group: 'small',
      rule: 'few bytes',
      subject: PUBLIC,
      limit: 10n,
      used: 6n,
      incoming: 5n,
      position: 41n,
    });
    expect(refusal.explanation).to.equal(
      'quota exceeded: size:repos:public used 6 + incoming 5 > limit 10 (rule few bytes of group small), decided at position 41',
    );
  });

  it('are not needed to look for room, which must be left: used < limit', () => {
    const check = (quota: QuotaFacts): StorageLedgerCommand => ({
      type: 'CheckRoom',
      data: { subject: PUBLIC, quota, at },
    });
    given(recorded('9'))
      .when(check(limit(10n)))
      .then();
    given(recorded('9'), reserved('a', '1'))
      .when(check(limit(10n)))
      .thenRefused(exceeded);
  });

  it('are settled with what the object has in all', () => {
    given(recorded('6'), reserved('a', '4')).when(settle('9')).then(settled('9', '9'));
  });
  it('are settled whatever the limits say by then: what is stored is stored', () => {
    given(recorded('6'), reserved('a', '4')).when(settle('1000')).then(settled('1000', '1000'));
  });
  it('of what an object begins with leave what was measured of it since', () => {
    const begin = {
      type: 'SettleReservation',
      data: { ...object('a'), bytes: '4', begins: true, groups: [], at },
    } as const;
    given(reserved('a', '4')).when(begin).then(settled('4', '4'));
    given(reserved('a', '4'), recorded('9')).when(begin).then(settled('9', '9'));
  });
  it('are settled once: after that a size is a measured size', () => {
    given(reserved('a', '4'), settled('9', '9'))
      .when(settle('8'))
      .then({
        type: 'UsageRecorded',
        data: { objectId: '1', subject: PUBLIC, bytes: '8', total: '8', recordedAt: at },
      });
    given(reserved('a', '4'), settled('9', '9')).when(settle('9')).then();
  });
  it('are released once', () => {
    const release: StorageLedgerCommand = { type: 'ReleaseReservation', data: { reservationId: 'a', at } };
    given(reserved('a', '4')).when(release).then(released('4', 'failed'));
    given(reserved('a', '4'), released('4', 'failed')).when(release).then();
    given(reserved('a', '4'), settled('4', '4')).when(release).then();
  });

  it('are renewed without a decision for what they hold, with one for more', () => {
    given(reserved('a', '4'))
      .when(renew('4', limit(1n)))
      .then(renewed('4'));
    given(reserved('a', '4'))
      .when(renew('6', limit(6n)))
      .then(renewed('6'));
    given(reserved('a', '4'))
      .when(renew('7', limit(6n)))
      .thenRefused(exceeded);
    given(reserved('a', '6'))
      .when(renew('7', limit(6n)))
      .thenRefused(exceeded);
    given(reserved('a', '4'), renewed('6'))
      .when(reserve('1', limit(6n)))
      .thenRefused(exceeded);
  });
  it('make room for whoever is renewed as well, once their lease ran out', () => {
    const other = reserved('b', '8', { expiresAt: over, objectId: '2' });
    given(reserved('a', '4'), other)
      .when(renew('9', limit(10n, [{ reservationId: 'b', bytes: null }])))
      .then(
        {
          type: 'ReservationReleased',
          data: { ...object('b', '2'), bytes: '8', reason: 'expired', releasedAt: at },
        },
        renewed('9'),
      );
  });
  it('are not renewed once they were given up', () => {
    given(reserved('a', '4'), released('4', 'expired'))
      .when(renew('4', limit(10n)))
      .thenRefused('quota.reservation_lapsed');
  });

  const lapsed = reserved('a', '8', { expiresAt: over });
  it('are released by whoever comes next once their lease ran out and nothing came of them', () => {
    given(lapsed)
      .when(reserve('5', limit(10n, [{ reservationId: 'a', bytes: null }])))
      .then(released('8', 'expired'), reserved('new', '5', { objectId: '2' }));
  });
  it('are settled by whoever comes next where something came of them', () => {
    given(lapsed)
      .when(reserve('3', limit(10n, [{ reservationId: 'a', bytes: '7' }])))
      .then(settled('7', '7'), reserved('new', '3', { objectId: '2' }));
    given(lapsed)
      .when(reserve('4', limit(10n, [{ reservationId: 'a', bytes: '7' }])))
      .thenRefused(exceeded);
  });
  it('are overdue where their lease ends more than an hour later, as where a clock was ahead', () => {
    const state = [
      reserved('a', '4', { expiresAt: '2026-01-01T01:00:00Z' }),
      reserved('b', '4', { expiresAt: '2026-01-01T01:00:01Z' }),
    ].reduce((before, event) => StorageLedger.evolve(before, event), StorageLedger.initialState);
    expect([...overdueReservations(state, new Date(at)).keys()]).to.deep.equal(['b']);
  });
  it('are nobody else’s to end before the lease ran out, or after they were', () => {
    const overdue = [{ reservationId: 'a', bytes: null }];
    const settleOverdue: StorageLedgerCommand = { type: 'SettleOverdue', data: { overdue, groups: [], at } };
    given(lapsed, renewed('8')).when(settleOverdue).then();
    given(lapsed, settled('8', '8')).when(settleOverdue).then();
    given(lapsed).when(settleOverdue).then(released('8', 'expired'));
  });

  it('are overdue from the moment when their lease runs out', () => {
    const state = [reserved('a', '8', { expiresAt: at }), reserved('b', '8')].reduce(
      (before, event) => StorageLedger.evolve(before, event),
      StorageLedger.initialState,
    );
    expect([...overdueReservations(state, new Date(at)).keys()]).to.deep.equal(['a']);
  });
  it('know whose the object was before', () => {
    const { type, data } = reserve('4', limit(10n)) as Extract<
      StorageLedgerCommand,
      { type: 'ReserveStorage' }
    >;
    const asked = reserved('new', '4', { objectId: '2' });
    const event: StorageLedgerEvent = { ...asked, data: { ...asked.data, previousOwnerId: 9 } };
    given()
      .when({ type, data: { ...data, previousOwnerId: 9 } })
      .then(event);
    const { reservations } = StorageLedger.evolve(StorageLedger.initialState, event);
    expect(reservations.get('new')?.previousOwnerId).to.equal(9);
  });

  it('move along with their object', () => {
    const moved: StorageLedgerEvent = {
      type: 'UsageMoved',
      data: {
        objectId: '1',
        from: PUBLIC,
        to: PRIVATE,
        bytes: '0',
        fromTotal: '0',
        toTotal: '0',
        reservationIds: ['a'],
        movedAt: at,
      },
    };
    given(reserved('a', '4'), reserved('b', '5', { objectId: '2' }))
      .when({ type: 'MoveUsage', data: { objectId: '1', from: PUBLIC, to: PRIVATE, groups: [], at } })
      .then(moved);
    given(reserved('a', '4'), moved)
      .when(settle('4'))
      .then(settled('4', '4', PRIVATE));
    const check = (subject: UsageSubject): StorageLedgerCommand => {
      const rules = [{ name: 'few bytes', limit: 4n, subjects: [subject] }];
      const quota = { ...limit(4n), groups: [{ name: 'small', rules }] };
      return { type: 'CheckRoom', data: { subject, quota, at } };
    };
    given(reserved('a', '4'), moved).when(check(PRIVATE)).thenRefused(exceeded);
    given(reserved('a', '4'), moved).when(check(PUBLIC)).then();
    given(reserved('b', '4', { objectId: '2' }), moved)
      .when(check(PUBLIC))
      .thenRefused(exceeded);
  });
  it('go with an object that is forgotten, and settle nothing after', () => {
    const forgotten: StorageLedgerEvent = {
      type: 'ObjectForgotten',
      data: { objectId: '1', entries: [], forgottenAt: at },
    };
    given(reserved('a', '4'), reserved('b', '5', { objectId: '2' }))
      .when({ type: 'ForgetObject', data: { objectId: '1', groups: [], at } })
      .then(released('4', 'forgotten'), forgotten);
    given(reserved('a', '4'), released('4', 'forgotten'), forgotten).when(settle('4')).then();
    given(forgotten, reserved('a', '4')).when(settle('4')).then(settled('4', '4'));
    // It came back, though its lease ran out on the way.
    given(forgotten, reserved('a', '4'), released('4', 'expired')).when(settle('4')).then(recorded('4'));
  });
});
