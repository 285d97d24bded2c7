import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  streamNameFilter,
  StreamNotFoundError,
  WrongExpectedVersionError,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { startEventStoreDbStub, type EventStoreDbStub } from '../../support/eventstoredb-stub/stub.js';
import { newStream, rejection, sample } from '../contract/samples.js';

const event = (text = '') => jsonEvent({ id: sample().id, type: 'Sampled', data: { text } });

/** What was observed of a real server through the plain client, and that the stub does the same. */
describe('EventStoreDB stub', () => {
  let stub: EventStoreDbStub;
  let client: EventStoreDBClient;
  before(async () => {
    stub = await startEventStoreDbStub();
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

  it('takes 1,048,576 bytes in an append, and stays usable after more', async () => {
    const stream = newStream();
    const empty = JSON.stringify({ text: '' }).length;
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
    await client.appendToStream(newStream(), [event()]);
    if (!position) throw new Error('no position');
    const count = async (read: AsyncIterable<unknown>) => {
      const events: unknown[] = [];
      for await (const event of read) events.push(event);
      return events.length;
    };
    expect(await count(client.readAll({ fromPosition: position }))).to.equal(2);
    const before = await count(client.readAll({ direction: BACKWARDS, fromPosition: position }));
    expect(before).to.equal(stub.log.records.length - 2);
    expect(stub.log.records[0]?.stream).to.equal('$settings');
    const between = { commit: position.commit + 1n, prepare: position.commit + 1n };
    await rejection(count(client.readAll({ fromPosition: between })), Error);
  });

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
});
