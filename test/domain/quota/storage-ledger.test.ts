import {
  StorageLedger,
  type StorageLedgerCommand,
  type StorageLedgerEvent,
} from '../../../src/domain/quota/storage-ledger.js';
import type { UsageSubject } from '../../../src/domain/quota/subjects.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const PUBLIC = 'size:repos:public';
const PRIVATE = 'size:repos:private';

const record = (objectId: string, bytes: string, subject: UsageSubject = PUBLIC): StorageLedgerCommand => ({
  type: 'RecordUsage',
  data: { objectId, subject, bytes, groups: [], at },
});
const recorded = (
  objectId: string,
  bytes: string,
  total: string,
  subject: UsageSubject = PUBLIC,
): StorageLedgerEvent => ({
  type: 'UsageRecorded',
  data: { objectId, subject, bytes, total, recordedAt: at },
});
const move = (objectId: string): StorageLedgerCommand => ({
  type: 'MoveUsage',
  data: { objectId, from: PUBLIC, to: PRIVATE, groups: [], at },
});
const forget = (objectId: string): StorageLedgerCommand => ({
  type: 'ForgetObject',
  data: { objectId, groups: [], at },
});

describe('StorageLedger', () => {
  const { given } = specification(StorageLedger);

  it('counts the bytes of an object under its subject', () => {
    given()
      .when(record('1', '10'))
      .then(recorded('1', '10', '10'));
  });
  it('adds up the objects of one subject', () => {
    given(recorded('1', '10', '10'))
      .when(record('2', '5'))
      .then(recorded('2', '5', '15'));
  });
  it('keeps subjects apart', () => {
    given(recorded('1', '10', '10'))
      .when(record('1', '5', 'size:git:lfs'))
      .then(recorded('1', '5', '5', 'size:git:lfs'));
  });
  it('replaces what it knew of an object', () => {
    given(recorded('1', '10', '10'), recorded('2', '5', '15'))
      .when(record('1', '4'))
      .then(recorded('1', '4', '9'));
  });
  it('records nothing when the size is what it was, or nothing is stored', () => {
    given(recorded('1', '10', '10'))
      .when(record('1', '10'))
      .then();
    given().when(record('1', '0')).then();
  });
  it('is exact beyond 2^53', () => {
    given(recorded('1', '9007199254740993', '9007199254740993'))
      .when(record('2', '2'))
      .then(recorded('2', '2', '9007199254740995'));
  });

  const moved: StorageLedgerEvent = {
    type: 'UsageMoved',
    data: {
      objectId: '1',
      from: PUBLIC,
      to: PRIVATE,
      bytes: '10',
      fromTotal: '5',
      toTotal: '10',
      reservationIds: [],
      movedAt: at,
    },
  };
  it('counts an object elsewhere once it became private', () => {
    given(recorded('1', '10', '10'), recorded('2', '5', '15'))
      .when(move('1'))
      .then(moved);
    given().when(move('1')).then();
  });
  it('knows that whoever measured it as public before means the same object', () => {
    given(recorded('1', '10', '10'), recorded('2', '5', '15'), moved)
      .when(record('1', '12', PUBLIC))
      .then(recorded('1', '12', '12', PRIVATE));
  });

  const forgotten: StorageLedgerEvent = {
    type: 'ObjectForgotten',
    data: { objectId: '1', entries: [{ subject: PUBLIC, bytes: '10', total: '5' }], forgottenAt: at },
  };
  it('lets go of an object under every subject', () => {
    given(recorded('1', '10', '10'), recorded('2', '5', '15'))
      .when(forget('1'))
      .then(forgotten);
    given().when(forget('1')).then();
  });
  it('lets nothing go that the account has again', () => {
    const again = { objectId: '1', isOwned: true, groups: [], at };
    given(recorded('1', '10', '10'))
      .when({ type: 'ForgetObject', data: again })
      .then();
  });
  it('counts an object again that came back', () => {
    const back = { ...record('1', '7').data, isOwned: true };
    given(recorded('1', '10', '10'), recorded('2', '5', '15'), forgotten)
      .when({ type: 'RecordUsage', data: back } as StorageLedgerCommand)
      .then(recorded('1', '7', '12'));
    given(recorded('1', '10', '10'), recorded('2', '5', '15'), forgotten, recorded('1', '7', '12'))
      .when(record('1', '8'))
      .then(recorded('1', '8', '13'));
  });
  it('writes nothing down that was measured before the object was forgotten', () => {
    given(recorded('1', '10', '10'), recorded('2', '5', '15'), forgotten)
      .when(record('1', '12'))
      .then();
  });
});
