import type { Queryable } from '../../src/database/queryable.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import { eventId } from '../../src/event-log/event-id.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { PostgresEventStore } from '../../src/event-store/postgres/postgres-event-store.js';
import { Dispatcher, type DispatcherOptions } from '../../src/webhooks/dispatcher.js';
import type { FindHookTarget, HookTarget, PlannedDelivery } from '../../src/webhooks/planned.js';
import { silent } from '../projections/engine/silent.js';
import { TestPeople } from '../support/people.js';

const CATEGORY = 'thing';
/** How long receivers may take, unless a test is of that: they are slow where the machine is. */
const PATIENT_MS = 60_000;
export const KEY = Buffer.alloc(32, 7);

/** A log in which things happen, one after the other. */
export class Things {
  readonly store: PostgresEventStore;
  readonly log: EventLog;
  #count = 0;

  constructor(url: string) {
    this.store = new PostgresEventStore({ url });
    const types = { Happened: { categories: [CATEGORY], version: 1 } };
    this.log = new EventLog({
      store: this.store,
      people: new TestPeople(),
      types,
      personal: {},
      upcasters: [],
    });
  }

  /** Appends so many events, numbered on, and answers with their ids. */
  async happen(count = 1): Promise<string[]> {
    const stream = `${CATEGORY}-${this.#count}`;
    const events = Array.from({ length: count }, () => ({ type: 'Happened', data: { n: this.#count++ } }));
    const metadata = { $correlationId: 'test', at: '2026-01-01T00:00:00Z' };
    await this.log.append(stream, 'noStream', events, metadata, stream);
    return events.map((_, index) => eventId(stream, stream, index));
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

export const numberOf = (event: DomainEvent): number => (event.data as { n: number }).n;

export const planned = (hookId: number, n: number): PlannedDelivery => ({
  hookId,
  key: 'happened',
  event: 'thing',
  eventType: 'thing_happened',
  payload: JSON.stringify({ n }),
});

export interface TestDispatcherOptions extends Partial<Omit<DispatcherOptions, 'findTarget'>> {
  readonly url: string;
  /** The hooks there are, and where they send. */
  readonly targets: Readonly<Record<number, HookTarget>>;
  readonly findTarget?: FindHookTarget;
}

/** A dispatcher that tells every hook of everything that happens. */
export const dispatcherOf = ({ url, targets, ...options }: TestDispatcherOptions, log: EventLog) =>
  new Dispatcher({
    database: { url, applicationName: 'test-dispatcher' },
    log,
    key: KEY,
    rules: { allowLocalNetworks: true },
    logger: silent,
    concerns: () => true,
    plan: (event) => Object.keys(targets).map((hookId) => planned(Number(hookId), numberOf(event))),
    afterwards: () => undefined,
    reached: () => Promise.resolve(true),
    findTarget: (hookId) => Promise.resolve(targets[hookId]),
    timeoutMs: PATIENT_MS,
    ...options,
  });

/** The digest of the payload that `keepEmptyPayload` stores, in SQL. */
export const EMPTY = `sha256('{}')`;

/** Stores a payload, for deliveries that are written by SQL. */
export const keepEmptyPayload = (db: Queryable) =>
  db.rows(`insert into deliveries.payloads (digest, text) values (${EMPTY}, '{}')`);
