import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Message } from '../src/domain/decider.js';
import type { EventLog } from '../src/event-log/event-log.js';
import { START } from '../src/event-store/event-store.js';
import type { Bench, Finding, Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { median } from './harness/rounds.js';
import { accountCreated, added, fillLog, openLog } from './harness/sample-log.js';

const TARGETS = [
  { what: 'no personal fields', atLeast: 50_000, events: 200_000, eventAt: added },
  { what: 'another person each', atLeast: 30_000, events: 50_000, eventAt: accountCreated },
];

const MEBIBYTE = 1_048_576;
const EARLY = 10_000;
/** How much the heap may grow between `EARLY` events and all of them. */
const HEAP_GROWTH_MB = 20;

/** Measures reading the log in PostgreSQL from its first event, decoded, with keys not yet in memory. */
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
    return [...findings, await heapGrowth(bench, bench.quick ? 200_000 : 1_000_000)];
  },
};

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
  log: EventLog,
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
