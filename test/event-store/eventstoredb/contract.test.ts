import { EventStoreDbEventStore } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.js';
import { startEventStoreDbStub } from '../../support/eventstoredb-stub/stub.js';
import { eventStoreContract } from '../contract.js';

const categories = ['contract'];
const backOff = { first: 5, most: 50 };

eventStoreContract('EventStoreDbEventStore over the stub', async () => {
  const stub = await startEventStoreDbStub();
  const open = () => new EventStoreDbEventStore({ url: stub.url, categories, timeLimit: 60_000, backOff });
  const store = open();
  return {
    store,
    another: () => Promise.resolve(open()),
    cut: () => {
      stub.network.cut();
      return Promise.resolve();
    },
    async stop() {
      await store.close();
      await stub.stop();
    },
  };
});

const url = process.env.TEST_EVENTSTORE_URL;

if (url !== undefined) {
  eventStoreContract('EventStoreDbEventStore over a real server', () => {
    const open = () => new EventStoreDbEventStore({ url, categories });
    const store = open();
    return Promise.resolve({
      store,
      another: () => Promise.resolve(open()),
      stop: () => store.close(),
    });
  });
}
