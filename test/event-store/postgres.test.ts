import { PostgresEventStore } from '../../src/event-store/postgres/postgres-event-store.js';
import { eventStoreContract } from './contract.js';
import { testLog } from './postgres/log.js';

eventStoreContract('PostgresEventStore', async () => {
  const { url, cut, drop } = await testLog();
  const open = () => new PostgresEventStore({ url, timeLimit: 60_000 });
  const store = open();
  return {
    store,
    another: () => Promise.resolve(open()),
    cut,
    async stop() {
      await store.close();
      await drop();
    },
  };
});
