import { PostgresEventStore } from '../../src/event-store/postgres/postgres-event-store.js';
import { eventStoreContract } from './contract.js';
import { testLog } from './postgres/log.js';

eventStoreContract('PostgresEventStore', async () => {
  const { url, cut, drop } = await testLog();
  const store = new PostgresEventStore({ url });
  return {
    store,
    another: () => Promise.resolve(new PostgresEventStore({ url })),
    cut,
    async stop() {
      await store.close();
      await drop();
    },
  };
});
