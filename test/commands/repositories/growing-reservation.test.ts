import { expect } from 'chai';
import { v4 } from 'uuid';
import { CommandHandler } from '../../../src/commands/handle.js';
import { Storage } from '../../../src/commands/quota/storage.js';
import {
  GrowingReservation,
  withGrowingRoom,
} from '../../../src/commands/repositories/growing-reservation.js';
import { QuotaCatalogue } from '../../../src/domain/quota/quota-catalogue.js';
import { QuotaExceeded } from '../../../src/domain/quota/quota-exceeded.js';
import { QuotaMembership } from '../../../src/domain/quota/quota-membership.js';
import { StorageLedger } from '../../../src/domain/quota/storage-ledger.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { TestPeople } from '../../support/people.js';
import { until } from '../../support/process.js';
import { rejection } from '../../support/rejection.js';

const OWNER = 1;
const SUBJECT = 'size:repos:public' as const;
const LIMIT = 10_000_000n;
const at = '2026-01-01T00:00:00Z';
const context = () => ({ commandId: v4(), at });

describe('a growing reservation', () => {
  let log: EventLog;
  let commands: CommandHandler;
  let storage: Storage;

  beforeEach(async () => {
    log = new EventLog({ store: new MemoryEventStore(), people: new TestPeople() });
    commands = new CommandHandler({ log });
    storage = new Storage({ commands, limited: true });
    const rules = [{ id: 1, name: 'limit', limit: LIMIT.toString(), subjects: ['size:all'] }];
    const create = { type: 'CreateQuotaGroup', data: { id: 1, name: 'limited', rules, at } } as const;
    await commands.handle(QuotaCatalogue, 'main', create, context());
    const set = { type: 'SetQuotaGroups', data: { groups: [{ id: 1, name: 'limited' }], at } } as const;
    await commands.handle(QuotaMembership, OWNER, set, context());
  });

  const wanted = () => ({ storage, ownerId: OWNER, objectId: '7', subject: SUBJECT, context: context() });
  const begin = (renewMs?: number) =>
    GrowingReservation.begin({
      ...wanted(),
      ...(renewMs !== undefined && { renewMs }),
      onLost: (error) => {
        throw error;
      },
    });
  const fits = (bytes: bigint) =>
    storage.reserve(OWNER, { objectId: '8', subject: SUBJECT, bytes }, context()).then(
      () => true,
      () => false,
    );
  const revision = async () => (await commands.load(StorageLedger, OWNER)).revision;

  it('takes room ahead, so that others cannot have it, and few appends', async () => {
    const room = await begin();
    const before = Number(await revision());
    for (let bytes = 65_536n; bytes <= LIMIT / 2n; bytes += 65_536n) await room.reach(bytes);
    expect(Number(await revision()) - before).lessThan(4);
    expect(await fits(LIMIT / 2n)).equals(false);
    await room.release();
    expect(await fits(LIMIT / 2n)).equals(true);
  });

  it('reaches the last byte there is, and not one more', async () => {
    const room = await begin();
    for (let bytes = 65_536n; bytes < LIMIT; bytes += 65_536n) await room.reach(bytes);
    await room.reach(LIMIT);
    const refused = await rejection(room.reach(LIMIT + 1n) ?? Promise.resolve());
    expect(refused).instanceOf(QuotaExceeded);
    await room.release();
  });

  it('is a refusal only where what is needed does not fit', async () => {
    const refused: (bigint | null)[] = [];
    const onRefused = ({ reason }: QuotaExceeded) => refused.push(reason.incoming);
    storage = new Storage({ commands, limited: true, onRefused });
    const room = await begin();
    await room.reach(LIMIT - 1n);
    expect(refused).deep.equals([]);
    await rejection(room.reach(LIMIT + 1n) ?? Promise.resolve());
    expect(refused).deep.equals([2n]);
    await room.release();
  });

  it('tells what is needed of it, also where only its lease is renewed', async () => {
    const room = await begin(1);
    await room.reach(1_000n);
    await room.reach(2_000n);
    const before = await revision();
    await until(async () => (await revision()) !== before);
    await room.release();
    const events = await log.readStream(`storageLedger-${OWNER}`);
    const renewed = events.filter(({ type }) => type === 'ReservationRenewed').map(({ data }) => data);
    const kept = 4n * 1024n * 1024n + 1_000n;
    expect(renewed[0]).include({ bytes: `${kept}`, needed: '1000' });
    expect(renewed.at(-1)).include({ bytes: `${kept}`, needed: '2000' });
  });

  it('is handed over as it stands', async () => {
    const room = await begin();
    await room.reach(1_000_000n);
    const reservation = await room.handOver();
    expect(reservation).include({ ownerId: OWNER, objectId: '7', subject: SUBJECT });
    await storage.settle(reservation, 1_000_000n, context());
    expect((await commands.load(StorageLedger, OWNER)).state.usage[SUBJECT]).equals(1_000_000n);
  });

  it('is refused from the start where there is no room at all', async () => {
    await storage.record(OWNER, { objectId: '9', subject: SUBJECT, bytes: LIMIT }, context());
    expect(await rejection(begin())).instanceOf(QuotaExceeded);
  });

  it('is kept for what its work gave', async () => {
    const { result, reservation } = await withGrowingRoom(wanted(), async (room) => {
      await room.reach(LIMIT);
      return 'done';
    });
    expect(result).equals('done');
    expect(await fits(1n)).equals(false);
    await storage.release(reservation, context());
  });

  it('is given back where its work fails', async () => {
    const failing = withGrowingRoom(wanted(), async (room) => {
      await room.reach(LIMIT);
      throw new Error('cut off');
    });
    expect(await rejection(failing)).include({ message: 'cut off' });
    expect(await fits(LIMIT)).equals(true);
  });
});
