import { PostgresEventStore } from '../../../src/event-store/postgres/postgres-event-store.js';
import { appendAtTail, newStream, samples } from '../contract/samples.js';

// A process of its own: appends to streams of its own and to one that all such processes share.
const [url = '', shared = '', rounds = '0'] = process.argv.slice(2);
const store = new PostgresEventStore({ url });
await Promise.all(
  [0, 1, 2, 3].map(async (writer) => {
    const own = newStream();
    for (let round = 0; round < Number(rounds); round++) {
      await appendAtTail(store, (round + writer) % 4 === 0 ? shared : own, samples(1 + (round % 3)));
    }
  }),
);
await store.close();
