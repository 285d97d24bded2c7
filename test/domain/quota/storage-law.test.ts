import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../src/domain/errors.js';
import type { QuotaGroup } from '../../../src/domain/quota/evaluation.js';
import { StorageLedger, type StorageLedgerCommand } from '../../../src/domain/quota/storage-ledger.js';
import { overdueReservations } from '../../../src/domain/quota/storage-ledger-state.js';
import type { QuotaFacts } from '../../../src/domain/quota/storage-ledger-messages.js';
import { usageSubjects, type UsageSubject } from '../../../src/domain/quota/subjects.js';

const LIMIT = 1_000n;
const LEASE_MS = 1_000;
const LIMITED: readonly QuotaGroup[] = [
  { name: 'one', rules: [{ name: 'limit', limit: LIMIT, subjects: ['size:all'] }] },
];

type Step =
  | { do: 'reserve'; object: string; subject: UsageSubject; bytes: number }
  | { do: 'commit' | 'settle' | 'release' | 'crash'; writer: number }
  | { do: 'wait'; ms: number }
  | { do: 'make private' | 'make public' | 'delete'; object: string };

const object = fc.constantFrom('1', '2', '3');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      object,
      subject: fc.constantFrom<UsageSubject[]>('size:repos:public', 'size:repos:private', 'size:git:lfs'),
      bytes: fc.integer({ min: 0, max: 400 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('commit', 'commit', 'settle', 'release', 'crash'),
      writer: fc.nat(8),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(2 * LEASE_MS) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('make private', 'make public', 'delete'), object }),
  },
);

interface Writer {
  readonly id: string;
  readonly object: string;
  readonly subject: UsageSubject;
  readonly bytes: bigint;
  status: 'working' | 'committed' | 'done' | 'dead';
}

/** An account whose objects lie on a disk, and writers that work, commit, settle, give up or crash at any moment. */
class World {
  state = StorageLedger.initialState;
  readonly writers: Writer[] = [];
  /** Bytes on disk by object, LFS apart. */
  readonly disk = new Map<string, bigint>();
  #now = Date.parse('2026-01-01T00:00:00Z');

  run(step: Step): void {
    switch (step.do) {
      case 'reserve':
        this.#reserve(step.object, step.subject, BigInt(step.bytes));
        return;
      case 'wait':
        this.#now += step.ms;
        return;
      case 'make private':
        this.#move(step.object, 'size:repos:public', 'size:repos:private');
        return;
      case 'make public':
        this.#move(step.object, 'size:repos:private', 'size:repos:public');
        return;
      case 'delete':
        this.#delete(step.object);
        return;
      default: {
        const writer = this.writers[step.writer % Math.max(1, this.writers.length)];
        if (writer) this.#continue(writer, step.do);
      }
    }
  }

  /** Every writer ends, or is found to have ended. */
  finish(): void {
    for (const writer of this.writers) this.#continue(writer, 'settle');
    this.#now += 2 * LEASE_MS;
    this.#handle({
      type: 'SettleOverdue',
      data: { overdue: this.#overdue(), groups: LIMITED, at: this.#at() },
    });
  }

  #reserve(objectId: string, subject: UsageSubject, bytes: bigint): void {
    const id = `writer ${this.writers.length}`;
    const expiresAt = new Date(this.#now + LEASE_MS).toISOString();
    const writer: Writer = { id, object: objectId, subject, bytes, status: 'working' };
    const quota: QuotaFacts = {
      account: { id: 1, name: 'alice' },
      groups: LIMITED,
      catalogueRevision: 0,
      membershipRevision: 0,
      position: 0n,
      overdue: this.#overdue(),
    };
    const data = {
      reservationId: id,
      objectId,
      subject,
      bytes: `${bytes}`,
      expiresAt,
      quota,
      at: this.#at(),
    };
    if (this.#handle({ type: 'ReserveStorage', data })) this.writers.push(writer);
  }

  #continue(writer: Writer, what: 'commit' | 'settle' | 'release' | 'crash'): void {
    const { id: reservationId, object: objectId, subject } = writer;
    if (what === 'commit' && writer.status === 'working') {
      writer.status = 'committed';
      this.disk.set(diskKey(writer), this.#onDisk(writer) + writer.bytes);
    } else if (what === 'settle' && writer.status === 'committed') {
      const bytes = `${this.#onDisk(writer)}`;
      const data = { reservationId, objectId, subject, bytes, groups: LIMITED, at: this.#at() };
      this.#handle({ type: 'SettleReservation', data });
      writer.status = 'done';
    } else if (what === 'release' && writer.status === 'working') {
      this.#handle({ type: 'ReleaseReservation', data: { reservationId, at: this.#at() } });
      writer.status = 'done';
    } else if (what === 'crash' && writer.status === 'working') writer.status = 'dead';
  }

  /** What a look-up says: nothing will come of a writer that has not committed, who finds that out when it tries. */
  #overdue(): QuotaFacts['overdue'] {
    return [...overdueReservations(this.state, new Date(this.#now)).keys()].flatMap((reservationId) => {
      const writer = this.writers.find(({ id }) => id === reservationId);
      if (!writer) return [];
      const committed = writer.status === 'committed';
      if (!committed) writer.status = 'dead';
      return [{ reservationId, bytes: committed ? `${this.#onDisk(writer)}` : null }];
    });
  }

  #move(objectId: string, from: UsageSubject, to: UsageSubject): void {
    this.#handle({ type: 'MoveUsage', data: { objectId, from, to, groups: LIMITED, at: this.#at() } });
  }

  #delete(objectId: string): void {
    for (const writer of this.writers.filter(({ object }) => object === objectId)) {
      if (writer.status !== 'done') writer.status = 'dead';
      this.disk.delete(diskKey(writer));
    }
    this.#handle({ type: 'ForgetObject', data: { objectId, groups: LIMITED, at: this.#at() } });
  }

  /** Whether it was not refused. */
  #handle(command: StorageLedgerCommand): boolean {
    try {
      const events = StorageLedger.decide(command, this.state);
      this.state = events.reduce((state, event) => StorageLedger.evolve(state, event), this.state);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  #onDisk(writer: Writer): bigint {
    return this.disk.get(diskKey(writer)) ?? 0n;
  }

  #at(): string {
    return new Date(this.#now).toISOString();
  }
}

const diskKey = ({ object, subject }: Writer) => (subject === 'size:git:lfs' ? `lfs ${object}` : object);

const sum = (bytes: Iterable<bigint>): bigint => [...bytes].reduce((total, each) => total + each, 0n);

describe('a limit on what an account stores', () => {
  it('holds whatever writers do, crash or wait, and the books agree with the disk in the end', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const world = new World();
        for (const step of steps) {
          world.run(step);
          checkBooks(world);
        }
        world.finish();
        checkBooks(world);
        expect(world.state.reservations.size).to.equal(0);
        expect(sum(Object.values(world.state.usage))).to.equal(sum(world.disk.values()));
      }),
      { numRuns: 300 },
    );
  });
});

function checkBooks({ state, disk }: World): void {
  const used = sum(Object.values(state.usage));
  expect(sum(disk.values()) <= LIMIT, `${sum(disk.values())} bytes on disk`).to.equal(true);
  expect(used <= LIMIT, `${used} bytes recorded`).to.equal(true);
  for (const subject of usageSubjects) {
    const entries = state.entries.filter((_, key) => key.startsWith(`${subject} `));
    expect(state.usage[subject]).to.equal(sum(entries.values()));
  }
}
