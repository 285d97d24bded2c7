import { expect } from 'chai';
import fc from 'fast-check';
import {
  StorageLedger,
  type StorageLedgerCommand,
  type StorageLedgerEvent,
} from '../../../src/domain/quota/storage-ledger.js';
import { usageSubjects, type UsageSubject } from '../../../src/domain/quota/subjects.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const record = (
  objectId: string,
  bytes: string,
  subject: UsageSubject = 'size:repos:public',
): StorageLedgerCommand => ({ type: 'RecordUsage', data: { objectId, subject, bytes, at } });
const recorded = (
  objectId: string,
  bytes: string,
  total: string,
  subject: UsageSubject = 'size:repos:public',
): StorageLedgerEvent => ({
  type: 'UsageRecorded',
  data: { objectId, subject, bytes, total, recordedAt: at },
});

describe('StorageLedger', () => {
  const { given } = specification(StorageLedger);

  it('counts the bytes of an object under its subject', () => {
    given()
      .when(record('repository 1', '10'))
      .then(recorded('repository 1', '10', '10'));
  });
  it('adds up the objects of one subject', () => {
    given(recorded('repository 1', '10', '10'))
      .when(record('repository 2', '5'))
      .then(recorded('repository 2', '5', '15'));
  });
  it('keeps subjects apart', () => {
    given(recorded('repository 1', '10', '10'))
      .when(record('repository 1', '5', 'size:git:lfs'))
      .then(recorded('repository 1', '5', '5', 'size:git:lfs'));
  });
  it('replaces what it knew of an object', () => {
    given(recorded('repository 1', '10', '10'), recorded('repository 2', '5', '15'))
      .when(record('repository 1', '4'))
      .then(recorded('repository 1', '4', '9'));
  });
  it('records nothing when the size is what it was, or nothing is stored', () => {
    given(recorded('repository 1', '10', '10'))
      .when(record('repository 1', '10'))
      .then();
    given().when(record('repository 1', '0')).then();
  });
  it('is exact beyond 2^53', () => {
    given(recorded('repository 1', '9007199254740993', '9007199254740993'))
      .when(record('repository 2', '2'))
      .then(recorded('repository 2', '2', '9007199254740995'));
  });

  it('always uses the sum of what its objects have', () => {
    const entry = fc.tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.bigInt({ min: 0n, max: 2n ** 60n }),
      fc.constantFrom(...usageSubjects),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), (entries) => {
        const expected = new Map<string, [UsageSubject, bigint]>();
        let state = StorageLedger.initialState;
        for (const [objectId, bytes, subject] of entries) {
          expected.set(`${subject} ${objectId}`, [subject, bytes]);
          for (const event of StorageLedger.decide(record(objectId, String(bytes), subject), state)) {
            state = StorageLedger.evolve(state, event);
          }
        }
        for (const subject of usageSubjects) {
          const sizes = [...expected.values()].filter(([counted]) => counted === subject);
          expect(state.usage[subject]).to.equal(sizes.reduce((sum, [, bytes]) => sum + bytes, 0n));
        }
      }),
    );
  });
});
