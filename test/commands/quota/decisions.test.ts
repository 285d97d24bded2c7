import { expect } from 'chai';
import fc from 'fast-check';
import { v4 } from 'uuid';
import { CommandHandler } from '../../../src/commands/handle.js';
import type { Reservation } from '../../../src/commands/quota/reservation.js';
import { Storage } from '../../../src/commands/quota/storage.js';
import { standingAsOf } from '../../../src/audit/standing-as-of.js';
import { applicableGroups, evaluate } from '../../../src/domain/quota/evaluation.js';
import { QuotaCatalogue } from '../../../src/domain/quota/quota-catalogue.js';
import { QuotaExceeded } from '../../../src/domain/quota/quota-exceeded.js';
import { QuotaMembership } from '../../../src/domain/quota/quota-membership.js';
import { plus, type UsageSubject } from '../../../src/domain/quota/subjects.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import type { Position } from '../../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { TestPeople } from '../../support/people.js';

const ALICE = 1;
const LEASE_MS = 1_000;

/** What was decided, and where in the log. */
interface Decision {
  readonly position: Position;
  readonly subject: UsageSubject;
  readonly bytes: bigint | undefined;
  readonly allowed: boolean;
}

const subject = fc.constantFrom<UsageSubject[]>('size:repos:public', 'size:git:lfs');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      object: fc.nat(3),
      subject,
      bytes: fc.nat(60),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('check' as const), subject }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('settle' as const), which: fc.nat(5), bytes: fc.nat(60) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(2 * LEASE_MS) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('limit' as const),
      rule: fc.nat(1),
      bytes: fc.integer({ min: -1, max: 150 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const), groups: fc.subarray([1, 2]) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** An account and its limits, and every decision that was made about it. */
class World {
  readonly log = new EventLog({ store: new MemoryEventStore(), people: new TestPeople() });
  readonly decisions: Decision[] = [];
  readonly #commands = new CommandHandler({ log: this.log });
  readonly #reservations: Reservation[] = [];
  #clock = Date.parse('2026-01-01T00:00:00Z');
  readonly #storage = new Storage({
    commands: this.#commands,
    limited: true,
    leaseMs: LEASE_MS,
    now: () => new Date(this.#clock),
  });

  async begin(): Promise<void> {
    for (const [id, subjects] of [
      [1, ['size:all']],
      [2, ['size:git:lfs']],
    ] as const) {
      const rules = [{ id, name: `rule ${id - 1}`, limit: '100', subjects }];
      const data = { id, name: `group ${id}`, rules, at: this.#at() };
      await this.#commands.handle(
        QuotaCatalogue,
        'main',
        { type: 'CreateQuotaGroup', data },
        this.#context(),
      );
    }
  }

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case 'reserve': {
        const { object, subject, bytes } = step;
        const request = { objectId: `${object}`, subject, bytes: BigInt(bytes) };
        await this.#decide(subject, BigInt(bytes) || 1n, async () => {
          const reservation = await this.#storage.reserve(ALICE, request, this.#context());
          this.#reservations.push(reservation);
          return reservation.position - 1n; // it was decided before it was written
        });
        return;
      }
      case 'check':
        await this.#decide(step.subject, undefined, async () => {
          await this.#storage.checkRoom(ALICE, step.subject, this.#context());
          return this.log.lastPosition();
        });
        return;
      case 'settle': {
        const [reservation] = this.#reservations.splice(step.which, 1);
        if (reservation) await this.#storage.settle(reservation, BigInt(step.bytes), this.#context());
        return;
      }
      case 'release': {
        const [reservation] = this.#reservations.splice(step.which, 1);
        if (reservation) await this.#storage.release(reservation, this.#context());
        return;
      }
      case 'wait':
        this.#clock += step.ms;
        return;
      case 'limit': {
        const data = { name: `rule ${step.rule}`, limit: `${step.bytes}`, at: this.#at() };
        await this.#commands.handle(QuotaCatalogue, 'main', { type: 'EditQuotaRule', data }, this.#context());
        return;
      }
      case 'join': {
        const groups = step.groups.map((id) => ({ id, name: `group ${id}` }));
        const data = { groups, at: this.#at() };
        await this.#commands.handle(
          QuotaMembership,
          ALICE,
          { type: 'SetQuotaGroups', data },
          this.#context(),
        );
      }
    }
  }

  async #decide(
    subject: UsageSubject,
    bytes: bigint | undefined,
    ask: () => Promise<Position>,
  ): Promise<void> {
    try {
      this.decisions.push({ position: await ask(), subject, bytes, allowed: true });
    } catch (error) {
      if (!(error instanceof QuotaExceeded)) throw error;
      this.decisions.push({ position: error.reason.position, subject, bytes, allowed: false });
    }
  }

  #context() {
    return { commandId: v4(), at: this.#at() };
  }

  #at(): string {
    return new Date(this.#clock).toISOString();
  }
}

describe('a decision on quota', () => {
  it('is, as of the position that it tells, what the log says of that moment, whatever came later', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const world = new World();
        await world.begin();
        for (const step of steps) await world.run(step);
        for (const { position, subject, bytes, allowed } of world.decisions) {
          const { own, defaults, usage, reserved } = await standingAsOf(world.log, ALICE, position);
          const verdict = evaluate(applicableGroups(own, defaults), plus(usage, reserved), subject, bytes);
          expect(verdict.allowed, `${subject} ${bytes} at ${position}`).to.equal(allowed);
        }
      }),
      { numRuns: 60 },
    );
  });
});
