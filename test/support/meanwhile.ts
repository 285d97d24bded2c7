import type { EventData, ExpectedRevision } from '../../src/event-store/event-store.js';
import { PostgresEventStore } from '../../src/event-store/postgres/postgres-event-store.js';

const original = Object.getOwnPropertyDescriptor(PostgresEventStore.prototype, 'append');
const append = original?.value as PostgresEventStore['append'];
let before: ((events: readonly EventData[]) => Promise<void>) | undefined;
PostgresEventStore.prototype.append = async function (
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventData[],
) {
  if (before) await before(events); // else nothing comes between the call and what it does
  return append.call(this, stream, expected, events);
};

/**
 * Sends a request, and does `work` right before an event of that type is first appended, by whichever api of this
 * process. The request holds its place in line for that stream: what `work` does there goes through another api.
 */
export async function meanwhile<T>(
  type: string,
  work: () => Promise<unknown>,
  request: () => Promise<T>,
): Promise<T> {
  let times = 0;
  before = async (events) => {
    if (!events.some((event) => event.type === type)) return;
    times += 1;
    if (times === 1) await work();
  };
  try {
    const answer = await request();
    if (times === 0) throw new Error(`no ${type} was appended`);
    return answer;
  } finally {
    before = undefined;
  }
}
