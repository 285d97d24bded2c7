import { expect } from 'chai';
import { v4 } from 'uuid';
import type { CommandContext } from '../../../src/commands/context.js';
import { CommandHandler } from '../../../src/commands/handle.js';
import type { SettleLookups } from '../../../src/commands/quota/overdue.js';
import type { SettleLookup } from '../../../src/commands/quota/settle-lookup.js';
import { Storage, type StorageOptions } from '../../../src/commands/quota/storage.js';
import { QuotaCatalogue, type QuotaCatalogueCommand } from '../../../src/domain/quota/quota-catalogue.js';
import { QuotaExceeded } from '../../../src/domain/quota/quota-exceeded.js';
import { QuotaMembership } from '../../../src/domain/quota/quota-membership.js';
import { StorageLedger } from '../../../src/domain/quota/storage-ledger.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { InterceptedStore, type Interception } from '../../support/intercepted-store.js';
import { TestPeople } from '../../support/people.js';
import { rejection } from '../../support/rejection.js';

const ALICE = 1;
const BOB = 2;
const CAROL = 3;
const PUBLIC = 'size:repos:public';
const MINUTE = 60_000;

const context = (): CommandContext => ({ commandId: v4(), at: '2026-01-01T00:00:00Z' });

/** Several processes over one log, and a clock that only the test moves. */
class World {
  readonly store = new MemoryEventStore();
  readonly #people = new TestPeople();
  clock = Date.parse('2026-01-01T00:00:00Z');
  readonly commands = this.process().commands;

  process(options: Partial<StorageOptions> = {}, steps: Interception = {}) {
    const store = new InterceptedStore(this.store, steps);
    const commands = new CommandHandler({ log: new EventLog({ store, people: this.#people }) });
    const now = () => new Date(this.clock);
    return { commands, storage: new Storage({ commands, limited: true, leaseMs: MINUTE, now, ...options }) };
  }

  /** Sets what everything of one account may use. */
  async limit(bytes: bigint, accountId = ALICE): Promise<void> {
    const at = new Date(this.clock).toISOString();
    const name = `at most ${bytes} ${v4()}`;
    const rules = [{ id: 1, name, limit: bytes.toString(), subjects: ['size:all'] }];
    const create: QuotaCatalogueCommand = { type: 'CreateQuotaGroup', data: { id: 1, name, rules, at } };
    await this.commands.handle(QuotaCatalogue, 'main', create, context());
    const set = { type: 'SetQuotaGroups', data: { groups: [{ id: 1, name }], at } } as const;
    await this.commands.handle(QuotaMembership, accountId, set, context());
  }

  async used(accountId = ALICE): Promise<bigint> {
    return (await this.commands.load(StorageLedger, accountId)).state.usage[PUBLIC];
  }
}

/** The refusal that it rejects with. */
async function refusal(asked: Promise<unknown>): Promise<QuotaExceeded> {
  const error = await rejection(asked);
  if (error instanceof QuotaExceeded) return error;
  throw error;
}

const bytesOf = (objectId: string, bytes: bigint) => ({ objectId, subject: PUBLIC, bytes }) as const;

describe('Storage', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });

  for (const [limit, fitting] of [
    [99n, 11],
    [98n, 10],
  ] as const)
    it(`lets exactly ${fitting} of 64 racing writers of 9 bytes pass where there is room for ${limit}`, async () => {
      await world.limit(limit);
      const processes = [world.process(), world.process()];
      const outcomes = await Promise.all(
        Array.from({ length: 64 }, async (_, writer) => {
          const { storage } = processes[writer % 2] ?? world.process();
          try {
            const reservation = await storage.reserve(ALICE, bytesOf(String(writer), 9n), context());
            await storage.settle(reservation, 9n, context());
            return 'stored';
          } catch (error) {
            if (error instanceof QuotaExceeded) return 'refused';
            throw error;
          }
        }),
      );
      expect(outcomes.filter((outcome) => outcome === 'stored')).to.have.length(fitting);
      expect(await world.used()).to.equal(BigInt(fitting) * 9n);
    });

  it('is bound by every limit that was there before it was asked', async () => {
    const { storage } = world.process();
    await storage.reserve(ALICE, bytesOf('1', 50n), context());
    await world.limit(60n); // by another process
    await refusal(storage.reserve(ALICE, bytesOf('2', 11n), context()));
    await storage.reserve(ALICE, bytesOf('2', 10n), context());
  });

  it('decides again where somebody else was faster', async () => {
    await world.limit(10n);
    const other = world.process().storage;
    let first = true;
    const { storage } = world.process(
      {},
      {
        async beforeAppend(stream) {
          if (!first || !stream.startsWith('storageLedger')) return;
          first = false;
          await other.reserve(ALICE, bytesOf('1', 6n), context());
        },
      },
    );
    const { reason } = await refusal(storage.reserve(ALICE, bytesOf('2', 5n), context()));
    expect(reason).to.include({ used: 6n, incoming: 5n, limit: 10n });
  });

  it('tells where in the log it was refused', async () => {
    await world.limit(0n);
    const { reason } = await refusal(world.process().storage.checkRoom(ALICE, PUBLIC, context()));
    expect(reason).to.include({
      position: await world.store.lastPosition(),
      incoming: null,
      subject: PUBLIC,
    });
  });

  it('records and refuses nothing where limits do not bind', async () => {
    await world.limit(4n);
    const { storage } = world.process({ limited: false });
    const reservation = await storage.reserve(ALICE, bytesOf('1', 5n), context());
    await storage.settle(reservation, 5n, context());
    await storage.checkRoom(ALICE, PUBLIC, context());
    expect(await world.used()).to.equal(5n);
    const events = await world.store.readStream(`storageLedger-${ALICE}`);
    expect(events.map(({ type }) => type)).to.deep.equal(['StorageReserved', 'ReservationSettled']);
  });

  it('gives the room of failed work back', async () => {
    await world.limit(10n);
    const { storage } = world.process();
    const reservation = await storage.reserve(ALICE, bytesOf('1', 10n), context());
    await storage.release(reservation, context());
    await storage.reserve(ALICE, bytesOf('2', 10n), context());
  });

  it('makes a request that is sent again look for room again', async () => {
    await world.limit(10n);
    const { storage } = world.process();
    const repeated: CommandContext = { ...context(), repeatable: true };
    const first = await storage.reserve(ALICE, bytesOf('1', 10n), repeated);
    await storage.release(first, repeated);
    const second = await storage.reserve(ALICE, bytesOf('1', 10n), repeated);
    expect(second.id).not.to.equal(first.id);
    await storage.settle(second, 10n, repeated);
    expect(await world.used()).to.equal(10n);
  });

  describe('after a crash', () => {
    const asking = (
      answer: Awaited<ReturnType<SettleLookup>>,
      asked: string[] = [],
    ): Partial<StorageOptions> => ({
      lookups: {
        [PUBLIC]: ({ id }) => {
          asked.push(id);
          return Promise.resolve(answer);
        },
      },
    });

    it('asks nobody before the lease ran out', async () => {
      await world.limit(10n);
      const asked: string[] = [];
      const { storage } = world.process(asking(undefined, asked));
      const lost = await storage.reserve(ALICE, bytesOf('1', 10n), context());
      await refusal(storage.checkRoom(ALICE, PUBLIC, context()));
      expect(asked).to.deep.equal([]);
      world.clock += MINUTE;
      await storage.checkRoom(ALICE, PUBLIC, context());
      expect(asked).to.deep.equal([lost.id]);
    });

    it('counts what was committed, and gives other room to whoever comes next', async () => {
      await world.limit(10n);
      const { storage } = world.process(asking(7n));
      await storage.reserve(ALICE, bytesOf('1', 10n), context());
      world.clock += MINUTE;
      await storage.reserve(ALICE, bytesOf('2', 3n), context());
      expect(await world.used()).to.equal(7n);
    });

    it('has the log say what was committed before anybody is refused for it', async () => {
      await world.limit(10n);
      const { storage } = world.process(asking(7n));
      await storage.reserve(ALICE, bytesOf('1', 10n), context());
      world.clock += MINUTE;
      const { reason } = await refusal(storage.reserve(ALICE, bytesOf('2', 4n), context()));
      expect(reason).to.include({ used: 7n, position: await world.store.lastPosition() });
      expect(await world.used()).to.equal(7n);
    });

    it('leaves room to a worker that lives', async () => {
      await world.limit(10n);
      const { storage } = world.process(asking('under way'));
      const slow = await storage.reserve(ALICE, bytesOf('1', 10n), context());
      world.clock += MINUTE;
      await refusal(storage.checkRoom(ALICE, PUBLIC, context()));
      const renewed = await storage.renew(slow, context());
      expect([renewed.id, renewed.expiresAt.getTime()]).to.deep.equal([slow.id, world.clock + MINUTE]);
    });

    it('asks nobody what came of a reservation for whoever comes back to renew it', async () => {
      const asked: string[] = [];
      const { storage } = world.process(asking(undefined, asked));
      const slow = await storage.reserve(ALICE, bytesOf('1', 6n), context());
      world.clock += MINUTE;
      const renewed = await storage.renew(slow, context(), 7n);
      expect([renewed.id, asked]).to.deep.equal([slow.id, []]);
    });

    it('takes nothing from whoever comes back, for more than there is room for', async () => {
      await world.limit(10n);
      const { storage } = world.process(asking(undefined));
      const slow = await storage.reserve(ALICE, bytesOf('1', 6n), context());
      await storage.reserve(ALICE, bytesOf('2', 1n), context());
      world.clock += MINUTE;
      await refusal(storage.renew(slow, context(), 11n));
      expect((await storage.renew(slow, context())).id).to.equal(slow.id);
    });

    it('is prevented by renewing before the commit what is half over', async () => {
      const { storage } = world.process();
      const reservation = await storage.reserve(ALICE, bytesOf('1', 6n), context());
      world.clock += MINUTE / 2;
      expect(await storage.keep(reservation, ALICE, context())).to.equal(reservation);
      world.clock += 1;
      const kept = await storage.keep(reservation, ALICE, context());
      expect([kept.id, kept.expiresAt.getTime()]).to.deep.equal([reservation.id, world.clock + MINUTE]);
    });

    it('is prevented by renewing before the commit what was reserved by a clock that was ahead', async () => {
      const { storage } = world.process();
      const reservation = await storage.reserve(ALICE, bytesOf('1', 6n), context());
      world.clock -= 1;
      const kept = await storage.keep(reservation, ALICE, context());
      expect([kept.id, kept.expiresAt.getTime()]).to.deep.equal([reservation.id, world.clock + MINUTE]);
    });

    it('is asked of the new owner before the commit, where the object has one by now', async () => {
      await world.limit(10n, BOB);
      const { storage } = world.process();
      const reservation = await storage.reserve(ALICE, bytesOf('1', 6n), context());
      const kept = await storage.keep(reservation, BOB, context());
      expect(kept).to.deep.include({ ownerId: BOB, bytes: 6n });
      const reserved = async (id: number) =>
        (await world.commands.load(StorageLedger, id)).state.reservations.size;
      expect([await reserved(ALICE), await reserved(BOB)]).to.deep.equal([0, 1]);
      const other = await storage.reserve(ALICE, bytesOf('2', 6n), context());
      expect((await refusal(storage.keep(other, BOB, context()))).reason).to.include({ used: 6n });
    });

    it('is asked for again before the commit, where the object left its owner and came back', async () => {
      await world.limit(10n);
      const { storage } = world.process();
      const reservation = await storage.reserve(ALICE, bytesOf('1', 6n), context());
      await storage.forget(ALICE, '1', context(), BOB);
      const other = await storage.reserve(ALICE, bytesOf('2', 6n), context());
      expect((await refusal(storage.keep(reservation, ALICE, context()))).reason).to.include({ used: 6n });
      await storage.release(other, context());
      const kept = await storage.keep(reservation, ALICE, context());
      expect(kept).to.deep.include({ ownerId: ALICE, bytes: 6n });
      await refusal(storage.reserve(ALICE, bytesOf('2', 6n), context()));
    });

    it('decides again for whoever comes back after the room was given up', async () => {
      await world.limit(10n);
      const { storage } = world.process(asking(undefined));
      const slow = await storage.reserve(ALICE, bytesOf('1', 6n), context());
      world.clock += MINUTE;
      const other = await storage.reserve(ALICE, bytesOf('2', 6n), context());
      await refusal(storage.renew(slow, context()));
      await storage.release(other, context());
      const again = await storage.renew(slow, context());
      expect(again.id).not.to.equal(slow.id);
      await storage.settle(again, 6n, context());
      expect(await world.used()).to.equal(6n);
    });
  });

  describe('of an object that changes hands', () => {
    const arrival = { ...bytesOf('1', 8n), previousOwnerId: ALICE };
    const ownedBy = (owner: () => number): SettleLookups => ({
      [PUBLIC]: ({ ownerId }) => Promise.resolve(ownerId === owner() ? 8n : undefined),
    });
    beforeEach(async () => {
      await world.limit(10n, BOB);
      await world.process().storage.record(ALICE, bytesOf('1', 8n), context());
    });

    it('is counted for one owner or the other', async () => {
      const { storage } = world.process();
      const reservation = await storage.reserve(BOB, arrival, context());
      expect([await world.used(ALICE), await world.used(BOB)]).to.deep.equal([8n, 0n]);
      await storage.settle(reservation, 8n, context());
      expect([await world.used(ALICE), await world.used(BOB)]).to.deep.equal([0n, 8n]);
    });

    it('needs room at the new owner', async () => {
      const { storage } = world.process();
      await storage.record(BOB, bytesOf('2', 3n), context());
      await refusal(storage.reserve(BOB, arrival, context()));
      expect(await world.used(ALICE)).to.equal(8n);
    });

    for (const [crash, stream] of [
      ['before it is forgotten', 'storageLedger-1'],
      ['between the two ledgers', 'storageLedger-2'],
    ] as const)
      it(`is set right by whoever comes next after a crash ${crash}`, async () => {
        const { storage: crashing } = world.process(
          {},
          {
            beforeAppend(name, events) {
              if (name === stream && events.some(({ type }) => type !== 'StorageReserved'))
                throw new Error('crashed');
            },
          },
        );
        const reservation = await crashing.reserve(BOB, arrival, context());
        expect((await rejection(crashing.settle(reservation, 8n, context()))).message).to.equal('crashed');
        world.clock += MINUTE;
        const { storage } = world.process({ lookups: ownedBy(() => BOB) });
        await storage.checkRoom(BOB, PUBLIC, context());
        expect([await world.used(ALICE), await world.used(BOB)]).to.deep.equal([0n, 8n]);
        expect((await world.commands.load(StorageLedger, BOB)).state.reservations.size).to.equal(0);
      });

    for (const when of ['is on its way', 'has come'] as const)
      it(`stays counted where it ${when} back while its way there is set right`, async () => {
        const back = { ...bytesOf('1', 8n), previousOwnerId: BOB };
        let owner = BOB;
        let returns = when === 'has come';
        const { storage: returning } = world.process();
        const { storage } = world.process(
          { lookups: ownedBy(() => owner) },
          {
            async beforeAppend(name) {
              if (!returns || name !== 'storageLedger-1') return;
              returns = false;
              const reservation = await returning.reserve(ALICE, back, context());
              owner = ALICE;
              await returning.settle(reservation, 8n, context());
            },
          },
        );
        await storage.reserve(BOB, arrival, context());
        world.clock += MINUTE;
        const coming = when === 'is on its way' && (await returning.reserve(ALICE, back, context()));
        await storage.settleOverdue(BOB, context());
        if (coming) {
          owner = ALICE;
          await returning.settle(coming, 8n, context());
        }
        expect([await world.used(ALICE), await world.used(BOB)]).to.deep.equal([8n, 0n]);
        await storage.settleOverdue(BOB, context());
        for (const id of [ALICE, BOB])
          expect((await world.commands.load(StorageLedger, id)).state.reservations.size).to.equal(0);
      });

    it('is forgotten where it was first, if it is on its way on when its way there is set right', async () => {
      let owner = BOB;
      const { storage } = world.process({ lookups: ownedBy(() => owner) });
      await storage.reserve(BOB, arrival, context());
      world.clock += MINUTE;
      const onward = await storage.reserve(CAROL, { ...arrival, previousOwnerId: BOB }, context());
      owner = CAROL;
      await storage.settleOverdue(BOB, context());
      await storage.settle(onward, 8n, context());
      const used = await Promise.all([ALICE, BOB, CAROL].map((id) => world.used(id)));
      expect(used).to.deep.equal([0n, 0n, 8n]);
    });

    it('stays where it is when the transfer came to nothing', async () => {
      const { storage } = world.process({ lookups: ownedBy(() => ALICE) });
      await storage.reserve(BOB, arrival, context());
      world.clock += MINUTE;
      await storage.settleOverdue(BOB, context());
      expect([await world.used(ALICE), await world.used(BOB)]).to.deep.equal([8n, 0n]);
      await storage.checkRoom(BOB, PUBLIC, context());
    });
  });
});
