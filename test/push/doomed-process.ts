/** An api in a process of its own that is gone at one step of a push, as if it were killed there. */
import { PostgresEventStore } from '../../src/event-store/postgres/postgres-event-store.js';
import type { EventData } from '../../src/event-store/event-store.js';

/** `before` or `after` the append of an event of that type. */
const [moment = '', type = ''] = (process.env.DIES ?? '').split(' ');

const die = (now: string, events: readonly EventData[]) => {
  const types = events.map((event) => event.type);
  if (now !== moment || !types.includes(type)) return;
  // Whoever reserves room settles what lapsed before: that is another step of another push.
  if (type === 'ReservationSettled' && types.includes('StorageReserved')) return;
  process.kill(process.pid, 'SIGKILL');
};

// oxlint-disable-next-line typescript/unbound-method -- it is called on its own object below
const append = PostgresEventStore.prototype.append;
PostgresEventStore.prototype.append = async function (stream, expected, events) {
  die('before', events);
  const appended = await append.call(this, stream, expected, events);
  die('after', events);
  return appended;
};

await import('../../src/main.js');
