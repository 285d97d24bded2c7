import {
  ANY,
  BACKWARDS,
  binaryEvent,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  StreamDeletedError,
  streamNameFilter,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  WrongExpectedVersionError,
  type Filter,
  type Position,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { once } from 'node:events';
import { startEventStoreDbStub, type EventStoreDbStub } from '../../support/eventstoredb-stub/stub.js';
import { newStream, rejection, sample } from '../contract/samples.js';
import { eventually } from './broken-server.js';

const event = (text = '') => jsonEvent({ id: sample().id, type: 'Sampled', data: { text } });

/** What was observed of a real server through the plain client, and that the stub does the same. */
describe('EventStoreDB stub', () => {
  let stub: EventStoreDbStub;
  let client: EventStoreDBClient;
  before(async () => {
    stub = await startEventStoreDbStub({ clock: () => new Date(1_700_000_000_123) });
    client = EventStoreDBClient.connectionString(stub.url);
  });
  after(async () => {
    await client.dispose();
    await stub.stop();
  });

  const revisions = async (read: AsyncIterable<ResolvedEvent>) => {
    const found: number[] = [];
    for await (const { event } of read) found.push(Number(event?.revision));
    return found;
  };

  it('writes nothing for an empty append, and succeeds', async () => {
    const stream = newStream();
    expect((await client.appendToStream(stream, [])).success).to.equal(true);
    expect(stub.log.stream(stream)).to.equal(undefined);
  });

  it('knows retried ids at no stream, an exact revision and any, also a prefix of them', async () => {
    const stream = newStream();
    const events = [event(), event()];
    const first = await client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
    await client.appendToStream(stream, event(), { expectedRevision: 1n });
    expect(await client.appendToStream(stream, events, { expectedRevision: NO_STREAM })).to.deep.equal(first);
    expect(await client.appendToStream(stream, events)).to.deep.equal(first);
    const prefix = await client.appendToStream(stream, events.slice(0, 1), { expectedRevision: NO_STREAM });
    expect(prefix.nextExpectedRevision).to.equal(0n);
    expect(stub.log.stream(stream)).to.have.length(3);
  });

  it('refuses old ids with a new one behind, also at any', async () => {
    const stream = newStream();
    const old = event();
    await client.appendToStream(stream, old);
    for (const options of [{ expectedRevision: NO_STREAM } as const, {}]) {
      const mixed = client.appendToStream(stream, [old, event()], options);
      const refused = await rejection(mixed, WrongExpectedVersionError);
      expect(refused.actualVersion).to.equal(0n);
    }
  });

  it('names in a refusal the stream, and both revisions', async () => {
    const stream = newStream();
    const onMissing = client.appendToStream(stream, event(), { expectedRevision: 3n });
    expect((await rejection(onMissing, WrongExpectedVersionError)).actualVersion).to.equal('no_stream');
    await client.appendToStream(stream, event());
    const late = client.appendToStream(stream, event(), { expectedRevision: 3n });
    expect(await rejection(late, WrongExpectedVersionError)).to.include({
      ...{ message: '', streamName: stream },
      ...{ expectedVersion: 3n, actualVersion: 0n },
    });
  });

  it('writes twice what stands behind a new id at any, and equal ids inside one append', async () => {
    const stream = newStream();
    const old = event();
    await client.appendToStream(stream, old);
    await client.appendToStream(stream, [event(), old]);
    expect(stub.log.stream(stream)).to.have.length(3);
    const twice = event();
    await client.appendToStream(stream, [twice, twice], { expectedRevision: 2n });
    expect(stub.log.stream(stream)).to.have.length(5);
  });

  it('answers nothing any more to a call that brought an id it cannot read', async () => {
    const other = EventStoreDBClient.connectionString(stub.url);
    const stream = newStream();
    let answered = false;
    const answer = () => (answered = true);
    const invalid = jsonEvent({ id: 'first', type: 'Sampled', data: {} });
    void other.appendToStream(stream, invalid).then(answer, () => undefined);
    void other.appendToStream(stream, event()).then(answer, () => undefined);
    await client.appendToStream(newStream(), event());
    expect(answered).to.equal(false);
    await other.dispose();
  });

  it('takes 1,048,576 bytes in an append, two for each character of a type, and stays usable after more', async () => {
    const stream = newStream();
    const empty = JSON.stringify({ text: '' }).length + 2 * event().type.length;
    const fits = event('x'.repeat(1_048_576 - empty));
    const exceeds = event('x'.repeat(1_048_577 - empty));
    const error = await rejection(client.appendToStream(stream, exceeds), MaxAppendSizeExceededError);
    expect(error.maxAppendSize).to.equal(1_048_576);
    expect((await client.appendToStream(stream, fits)).success).to.equal(true);
  });

  it('serves appends with credentials of their own by one call each', async () => {
    const stream = newStream();
    const { append } = stub.traffic.calls;
    const credentials = { username: 'admin', password: 'changeit' };
    await client.appendToStream(stream, event(), { credentials, expectedRevision: NO_STREAM });
    const late = client.appendToStream(stream, event(), { credentials, expectedRevision: NO_STREAM });
    expect((await rejection(late, WrongExpectedVersionError)).actualVersion).to.equal(0n);
    expect(stub.traffic.calls.append).to.equal(append + 2);
  });

  it('reads from the start by default, also backwards', async () => {
    const stream = newStream();
    await client.appendToStream(stream, [event(), event(), event()]);
    expect(await revisions(client.readStream(stream))).to.deep.equal([0, 1, 2]);
    expect(await revisions(client.readStream(stream, { direction: BACKWARDS }))).to.deep.equal([0]);
    const backwards = client.readStream(stream, { direction: BACKWARDS, fromRevision: END });
    expect(await revisions(backwards)).to.deep.equal([2, 1, 0]);
    await rejection(revisions(client.readStream(newStream())), StreamNotFoundError);
    await rejection(revisions(client.readStream(stream, { maxCount: 0 })), Error);
  });

  it('reads all events with system events, forwards from a position and backwards before it', async () => {
    const { position } = await client.appendToStream(newStream(), [event()]);
    const { position: last } = await client.appendToStream(newStream(), [event()]);
    if (!position || !last) throw new Error('no position');
    const count = async (read: AsyncIterable<unknown>) => {
      const events: unknown[] = [];
      for await (const event of read) events.push(event);
      return events.length;
    };
    expect(await count(client.readAll({ fromPosition: position }))).to.equal(2);
    const before = await count(client.readAll({ direction: BACKWARDS, fromPosition: position }));
    expect(before).to.equal(stub.log.records.length - 2);
    expect(stub.log.records[0]?.stream).to.equal('$settings');
    const behind = ({ commit }: Position, bytes: bigint) => ({
      fromPosition: { commit: commit + bytes, prepare: commit + bytes },
    });
    const length = last.commit - position.commit;
    await rejection(count(client.readAll(behind(position, 1n))), Error);
    await rejection(count(client.readAll({ direction: BACKWARDS, ...behind(position, 1n) })), Error);
    for (const bytes of [1n, length, length + 1n]) {
      expect(await count(client.readAll(behind(last, bytes)))).to.equal(0);
      const backwards = count(client.readAll({ direction: BACKWARDS, ...behind(last, bytes) }));
      if (bytes === length) expect(await backwards).to.equal(stub.log.records.length);
      else await rejection(backwards, Error);
    }
  });

  it('tells the millisecond when it wrote an append, the same of all its events', async () => {
    const stream = newStream();
    await client.appendToStream(stream, [event(), event(), event()]);
    for await (const { event: read } of client.readStream(stream)) {
      expect(read?.created).to.deep.equal(new Date(1_700_000_000_123));
    }
  });

  it('gives back bytes as they were written', async () => {
    const stream = newStream();
    const data = Uint8Array.of(0, 255, 128);
    await client.appendToStream(stream, binaryEvent({ type: 'Sampled', data, metadata: data }));
    for (const read of [
      client.readStream(stream),
      client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }),
    ]) {
      for await (const { event: found } of read) {
        expect(found).to.include({ streamId: stream, isJson: false });
        expect(found?.data).to.be.instanceOf(Uint8Array);
        expect([...(found?.data as Uint8Array)]).to.deep.equal([...data]);
        expect([...(found?.metadata as Uint8Array)]).to.deep.equal([...data]);
      }
    }
  });

  const inAll = async (stream: string) => {
    const types: (string | undefined)[] = [];
    for await (const { event: found } of client.readAll()) {
      if (found?.streamId === stream) types.push(found.type);
    }
    return types;
  };

  it('refuses a stream that was deleted for good, and shows its events and that among all', async () => {
    const stream = newStream();
    await client.appendToStream(stream, [event(), event()]);
    await client.tombstoneStream(stream);
    const credentials = { username: 'admin', password: 'changeit' };
    for (const call of [
      () => revisions(client.readStream(stream)),
      () => client.appendToStream(stream, event()),
      () => client.appendToStream(stream, event(), { expectedRevision: NO_STREAM }),
      () => client.appendToStream(stream, event(), { credentials }),
    ])
      expect((await rejection(call(), StreamDeletedError)).streamName).to.equal(stream);
    expect(await inAll(stream)).to.deep.equal(['Sampled', 'Sampled', '$streamDeleted']);
  });

  it('gives what is left of a truncated stream, also nothing, and all of it among all', async () => {
    const stream = newStream();
    await client.appendToStream(stream, [event(), event(), event(), event()]);
    await client.setStreamMetadata(stream, { truncateBefore: 1 });
    expect(await revisions(client.readStream(stream))).to.deep.equal([1, 2, 3]);
    await client.setStreamMetadata(stream, { truncateBefore: 1, maxCount: 2 });
    expect(await revisions(client.readStream(stream))).to.deep.equal([2, 3]);
    await client.setStreamMetadata(stream, { truncateBefore: 4 });
    expect(await revisions(client.readStream(stream))).to.deep.equal([]);
    const backwards = client.readStream(stream, { direction: BACKWARDS, fromRevision: END });
    expect(await revisions(backwards)).to.deep.equal([]);
    await client.appendToStream(stream, event(), { expectedRevision: 3n });
    expect(await revisions(client.readStream(stream))).to.deep.equal([4]);
    expect(await inAll(stream)).to.have.length(5);
  });

  for (const expectedRevision of [NO_STREAM, ANY, 2n] as const) {
    it(`goes on numbering a deleted stream that is appended to at ${expectedRevision}`, async () => {
      const stream = newStream();
      await client.appendToStream(stream, [event(), event(), event()]);
      await client.deleteStream(stream);
      await rejection(revisions(client.readStream(stream)), StreamNotFoundError);
      const { nextExpectedRevision } = await client.appendToStream(stream, event(), { expectedRevision });
      expect(nextExpectedRevision).to.equal(3n);
      expect(await revisions(client.readStream(stream))).to.deep.equal([3]);
      expect(await inAll(stream)).to.have.length(4);
    });
  }

  const filters: Readonly<Record<string, Filter>> = {
    'a prefix of the type': eventTypeFilter({ prefixes: ['Samp'] }),
    'a pattern of the type': eventTypeFilter({ regex: '^.ampled$' }),
    'no system events': excludeSystemEvents(),
    'a pattern of the stream': streamNameFilter({ regex: '^contract-' }),
  };
  for (const [what, filter] of Object.entries(filters)) {
    it(`filters a subscription by ${what}`, async () => {
      await client.appendToStream(newStream(), [event()]);
      expect(stub.log.records.slice(0, 2).map(({ type }) => type)).to.deep.equal([
        'update',
        '$statsCollected',
      ]);
      const subscription = client.subscribeToAll({ filter });
      const types: (string | undefined)[] = [];
      for await (const { event: found } of subscription) {
        types.push(found?.type);
        if (types.length === 2) break;
      }
      await subscription.unsubscribe();
      expect(types).to.deep.equal([what === 'no system events' ? 'update' : 'Sampled', 'Sampled']);
    });
  }

  it('subscribes after a position, filtered, with a checkpoint each interval of 32 events', async () => {
    const own = newStream();
    const first = await client.appendToStream(own, [event()]);
    await client.appendToStream(
      'foreign-1',
      Array.from({ length: 70 }, () => event()),
    );
    await client.appendToStream(own, [event()]);
    if (!first.position) throw new Error('no position');
    const checkpoints: bigint[] = [];
    const subscription = client.subscribeToAll({
      fromPosition: first.position,
      filter: streamNameFilter({
        prefixes: [own],
        checkpointInterval: 1,
        checkpointReached: (_, { commit }) => void checkpoints.push(commit),
      }),
    });
    for await (const { event: seen } of subscription) {
      expect(seen?.streamId).to.equal(own);
      expect(seen?.revision).to.equal(1n);
      break;
    }
    expect(checkpoints).to.have.length(2);
    await subscription.unsubscribe();
  });

  it('gives nothing on while a checkpoint is handled', async () => {
    const own = newStream();
    const { position } = await client.appendToStream(own, [event()]);
    await client.appendToStream(
      'foreign-2',
      Array.from({ length: 40 }, () => event()),
    );
    await client.appendToStream(own, [event()]);
    if (!position) throw new Error('no position');
    let handled: () => void = () => undefined;
    const handling = new Promise<void>((resolve) => (handled = resolve));
    let reached = false;
    const filter = streamNameFilter({
      prefixes: [own],
      checkpointInterval: 1,
      checkpointReached: () => {
        reached = true;
        return handling;
      },
    });
    const seen: unknown[] = [];
    const subscription = client.subscribeToAll({ fromPosition: position, filter });
    subscription.on('data', (resolved: ResolvedEvent) => seen.push(resolved.event?.revision));
    await eventually(() => reached);
    for (let turn = 0; turn < 10; turn++) await client.appendToStream(newStream(), event());
    expect(seen).to.deep.equal([]);
    handled();
    await eventually(() => seen.length === 1);
    await subscription.unsubscribe();
  });

  it('drops a live reader for whom more than 64 events wait, behind a part without gaps', async () => {
    const own = newStream();
    await client.appendToStream(own, event());
    const subscription = client.subscribeToAll({ filter: streamNameFilter({ prefixes: [own] }) });
    let live = 0;
    subscription.on('caughtUp', () => (live += 1));
    const seen: bigint[] = [];
    subscription.on('data', (resolved: ResolvedEvent) => seen.push(resolved.event?.revision ?? -1n));
    await eventually(() => live === 1);
    const dropped = once(subscription, 'error');
    await client.appendToStream(
      own,
      Array.from({ length: 500 }, () => event()),
    );
    const [error] = (await dropped) as [unknown];
    expect(error).to.be.instanceOf(TimeoutError).and.include({ code: 10 });
    expect(seen.length).to.be.within(1, 500);
    expect(seen).to.deep.equal(seen.map((_, index) => BigInt(index)));
    expect(live).to.equal(1);
  });

  it('ends a subscription with one error when it is killed, after which there is silence', async () => {
    const doomed = await startEventStoreDbStub();
    const other = EventStoreDBClient.connectionString(doomed.url);
    const subscription = other.subscribeToAll();
    const errors: unknown[] = [];
    subscription.on('error', (error) => errors.push(error)).resume();
    await once(subscription, 'caughtUp');
    await doomed.kill();
    await eventually(() => errors.length > 0);
    await doomed.restart();
    const appended = async () =>
      other.appendToStream(newStream(), event()).then(
        () => true,
        () => false,
      );
    while (!(await appended())); // it connects by itself, to append
    expect(errors).to.have.length(1);
    expect(errors[0]).to.be.instanceOf(UnavailableError);
    expect(doomed.traffic.calls.subscribe).to.equal(1);
    await other.dispose();
    await doomed.stop();
  });

  it('takes 20,000 small events in an append', async () => {
    const events = Array.from({ length: 20_000 }, () => event());
    const { nextExpectedRevision } = await client.appendToStream(newStream(), events);
    expect(nextExpectedRevision).to.equal(19_999n);
  });
});
