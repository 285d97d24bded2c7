import { randomUUID } from 'node:crypto';
import {
  EventStoreUnavailable,
  WrongExpectedVersion,
  type Appended,
  type EventData,
  type EventStore,
  type ExpectedRevision,
  type Position,
  type RecordedEvent,
} from '../../../src/event-store/event-store.js';
import type { ContractFixture } from '../contract.js';

export type Fixture = () => ContractFixture;

export const newStream = (): string => `contract-${randomUUID()}`;

export const sample = (data: EventData['data'] = {}): EventData => ({
  id: randomUUID(),
  type: 'Sampled',
  data,
  metadata: { at: '2026-01-01T00:00:00Z' },
});

export const samples = (count: number): EventData[] => Array.from({ length: count }, (_, n) => sample({ n }));

/** An event whose data and metadata are exactly so many bytes. */
export function sampleOf(bytes: number): EventData {
  const event = sample({ text: '' });
  const empty = JSON.stringify(event.data).length + JSON.stringify(event.metadata).length;
  return { ...event, data: { text: 'x'.repeat(bytes - empty) } };
}

export const idsOf = (events: readonly EventData[]): string[] => events.map(({ id }) => id);

/** Lends `work` a second client of the log and closes it after; the same one where the log knows no clients. */
export async function withAnother<T>(fixture: Fixture, work: (other: EventStore) => Promise<T>): Promise<T> {
  const { store, another } = fixture();
  const other = await another();
  try {
    return await work(other);
  } finally {
    if (other !== store) await other.close();
  }
}

/** What `promise` is rejected with; fails when it is not an `expected`. */
export async function rejection<E extends Error>(
  promise: Promise<unknown>,
  expected: new (...args: never[]) => E,
): Promise<E> {
  let outcome: unknown;
  try {
    outcome = await promise;
  } catch (error) {
    if (error instanceof expected) return error;
    throw error;
  }
  throw new Error(`expected ${expected.name}, got ${JSON.stringify(outcome, (_, v: unknown) => String(v))}`);
}

/** Resolves once the log answers: a ping is impatient, however slow the machine. */
export async function answers(store: EventStore): Promise<void> {
  for (let answered = false; !answered;)
    answered = await store.ping().then(
      () => true,
      () => false,
    );
}

/** Appends, again with the same ids for as long as the log is away. */
export async function appendSurely(
  store: EventStore,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventData[],
): Promise<Appended> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.append(stream, expected, events);
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable) || attempt === 10) throw error;
    }
  }
}

/** Appends at whatever revision the stream has, however many writers race. */
export async function appendAtTail(
  store: EventStore,
  stream: string,
  events: readonly EventData[],
): Promise<void> {
  let expected: ExpectedRevision = 'noStream';
  for (;;) {
    try {
      await appendSurely(store, stream, expected, events);
      return;
    } catch (error) {
      if (!(error instanceof WrongExpectedVersion)) throw error;
      expected = error.actual;
    }
  }
}

/** Subscribes after `after` and gathers events of the given streams until there are `count`; then leaves. */
export async function gather(
  store: EventStore,
  after: Position,
  streams: ReadonlySet<string>,
  count: number,
  maxBatch?: number,
): Promise<RecordedEvent[]> {
  const leaving = new AbortController();
  const events: RecordedEvent[] = [];
  const options = { signal: leaving.signal, ...(maxBatch !== undefined && { maxBatch }) };
  for await (const batch of store.subscribe(after, options)) {
    events.push(...batch.events.filter(({ stream }) => streams.has(stream)));
    if (events.length >= count) leaving.abort();
  }
  return events;
}
