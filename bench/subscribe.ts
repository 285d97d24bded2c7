import { EventStoreDBClient, START as FIRST, streamNameFilter } from '@eventstore/db-client';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Message } from '../src/domain/decider.js';
import type { EventLog } from '../src/event-log/event-log.js';
import { START } from '../src/event-store/event-store.js';
import { EventStoreDbEventStore } from '../src/event-store/eventstoredb/eventstoredb-event-store.js';
import { startProgram } from './harness/program.js';
import type { Bench, Finding, Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { compare, median } from './harness/rounds.js';
import { accountCreated, added, fillLog, openLog } from './harness/sample-log.js';

const TARGETS = [
  { what: 'no personal fields', atLeast: 50_000, events: 200_000, eventAt: added },
  { what: 'another person each', atLeast: 30_000, events: 50_000, eventAt: accountCreated },
];

/** Of the streams of the log. */
const CATEGORY = 'bench';
const OF_ITS_CLIENT = 0.9;

const MEBIBYTE = 1_048_576;
const EARLY = 10_000;
/** How much the heap may grow between `EARLY` events and all of them. */
const HEAP_GROWTH_MB = 20;

/** Measures reading the log from its first event: in PostgreSQL, decoded, with keys not yet in memory; in EventStoreDB. */
export const subscribe: Question = {
  name: 'subscribe',
  about: 'a subscription from zero: events/s, and memory that does not grow with the log',
  async answer(bench) {
    const findings: Finding[] = [];
    for (const { what, atLeast, events, eventAt } of TARGETS) {
      const count = bench.quick ? events / 5 : events;
      const url = await filled(bench, count, eventAt);
      const rates: number[] = [];
      for (let round = 0; round < (bench.quick ? 2 : 5); round++) {
        const startedAt = performance.now();
        await consume(openLog(bench, url), count);
        rates.push(count / ((performance.now() - startedAt) / 1000));
      }
      const detail = `${figure(count)} events`;
      findings.push({ what, value: median(rates), unit: 'events/s', atLeast, detail });
    }
    return [
      ...findings,
      await heapGrowth(bench, bench.quick ? 200_000 : 1_000_000),
      await besideItsClient(bench, bench.quick ? 10_000 : 50_000),
    ];
  },
};

/** Measures what our adapter takes from EventStoreDB's client, by what the client gives to somebody who only counts. */
async function besideItsClient(bench: Bench, events: number): Promise<Finding> {
  const stub = await startProgram(new URL('./harness/eventstoredb-process.js', import.meta.url), {
    environment: { BENCH_EVENTS: String(events) },
  });
  bench.onEnd(() => stub.stop());
  const { address: url } = stub;
  const rateOf = async (consuming: Promise<void>) => {
    const startedAt = performance.now();
    await consuming;
    return events / ((performance.now() - startedAt) / 1000);
  };
  const { ratio, ...rates } = await compare(
    bench.quick ? 3 : 7,
    () => rateOf(consumeFromClient(url, events)),
    () => rateOf(consumeFromStore(url, events)),
  );
  const detail = `${figure(rates.subject)} events/s, its client alone ${figure(rates.floor)}`;
  return { what: 'from EventStoreDB', value: ratio, unit: '×', atLeast: OF_ITS_CLIENT, detail };
}

async function consumeFromClient(url: string, count: number): Promise<void> {
  const client = EventStoreDBClient.connectionString(url);
  let consumed = 0;
  const subscription = client.subscribeToAll({
    fromPosition: FIRST,
    filter: streamNameFilter({ prefixes: [`${CATEGORY}-`], checkpointInterval: 100 }),
  });
  for await (const { event } of subscription) if (event && (consumed += 1) === count) break;
  await client.dispose();
}

async function consumeFromStore(url: string, count: number): Promise<void> {
  const store = new EventStoreDbEventStore({ url, categories: [CATEGORY] });
  await consume(store, count);
  await store.close();
}

async function heapGrowth(bench: Bench, events: number): Promise<Finding> {
  const url = await filled(bench, events, added);
  let early = 0;
  let late = 0;
  await consume(openLog(bench, url), events, (consumed) => {
    if (early === 0 && consumed >= EARLY) early = usedMegabytes();
    else if (consumed >= events) late = usedMegabytes();
  });
  return {
    what: `heap, ${figure(EARLY)} to ${figure(events)} events`,
    value: late - early,
    unit: 'MB',
    atMost: HEAP_GROWTH_MB,
    detail: `${figure(early)} MB to ${figure(late)} MB after garbage collection`,
  };
}

async function filled(bench: Bench, count: number, eventAt: (index: number) => Message): Promise<string> {
  const url = await bench.database();
  // Filling is not measured, so it need not wait for the disk.
  await fillLog(openLog(bench, `${url}&options=-c%20synchronous_commit%3Doff`), count, eventAt);
  return url;
}

async function consume(
  log: Pick<EventLog | EventStoreDbEventStore, 'subscribe'>,
  count: number,
  onBatch: (consumed: number) => void = () => undefined,
): Promise<void> {
  const stop = new AbortController();
  let consumed = 0;
  for await (const { events } of log.subscribe(START, { signal: stop.signal })) {
    consumed += events.length;
    onBatch(consumed);
    if (consumed >= count) break;
  }
  stop.abort();
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the megabytes that the process holds after garbage collection: heap and buffers. */
function usedMegabytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MEBIBYTE;
}
