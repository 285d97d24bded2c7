/** The tests' stub of EventStoreDB with a log of `BENCH_EVENTS` events, in a process of its own. Its address is its URL. */
import { randomUUID } from 'node:crypto';
import { runChild } from '../../src/start/child.js';
import { startEventStoreDbStub, type EventStoreDbStub } from '../../test/support/eventstoredb-stub/stub.js';
import { added } from './sample-log.js';

const EVENTS_AN_APPEND = 100;
const AT = '2026-01-01T00:00:00.000Z';

let stub: EventStoreDbStub | undefined;

runChild({
  async start() {
    stub = await startEventStoreDbStub();
    for (let index = 0; index < Number(process.env.BENCH_EVENTS); index += EVENTS_AN_APPEND) {
      const events = Array.from({ length: EVENTS_AN_APPEND }, (_, offset) => {
        const { type, data } = added(index + offset);
        return {
          id: randomUUID(),
          type,
          contentType: 'application/json',
          data: Buffer.from(JSON.stringify(data)),
          metadata: Buffer.from(JSON.stringify({ $correlationId: randomUUID(), at: AT, schemaVersion: 1 })),
        };
      });
      stub.log.append(`bench-${randomUUID()}`, 'noStream', events);
    }
    return { address: stub.url };
  },
  stop: async () => stub?.stop(),
});
