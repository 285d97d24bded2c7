import type { Database, DatabaseOptions } from '../database/database.js';
import { fragment } from '../database/sql.js';
import type { DomainEvent } from '../domain/domain-event.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Position } from '../event-store/event-store.js';
import { holdCheckpoint, moveCheckpoint, readCheckpoint } from '../followers/checkpoint.js';
import { lead } from '../followers/lead.js';
import { eachOf } from '../concurrency/each-of.js';
import { pause } from '../concurrency/pause.js';
import { stubbornly } from '../followers/stubbornly.js';
import type { Logger } from '../logging/logger.js';
import { deliveryId } from './delivery-id.js';
import { insertDeliveries, type NewDelivery } from './insert-deliveries.js';
import type { PlannedDelivery } from './planned.js';

/** The options of a planner. After a crash, `plan` and `afterwards` are called again for the same events. */
export interface PlannerOptions {
  readonly database: DatabaseOptions;
  readonly log: Pick<EventLog, 'subscribe'>;
  /** Tells whether an event may have deliveries, by its type alone. */
  readonly concerns: (event: DomainEvent) => boolean;
  /** Yields an event's deliveries in order; called once the read models have processed the event. */
  readonly plan: (event: DomainEvent) => AsyncIterable<PlannedDelivery> | Iterable<PlannedDelivery>;
  /** Returns the work to do once an event's deliveries are written, which must be idempotent; undefined if there is none. */
  readonly afterwards: (event: DomainEvent) => (() => Promise<void>) | undefined;
  /** Waits a moment for the read models that plans are made from; tells whether they have passed the position. */
  readonly reached: (position: Position) => Promise<boolean>;
  readonly logger: Logger;
}

type Work = (signal: AbortSignal) => Promise<void>;

type Deliveries = readonly NewDelivery[];

/** Consecutive events, their deliveries, and the work that follows once those are written. */
interface Plan {
  readonly events: readonly DomainEvent[];
  readonly deliveries: Deliveries;
  /** The only event, if its deliveries are too large to be held together: they are left out. */
  readonly large: DomainEvent | undefined;
  readonly afterwards: readonly Work[];
}

const LEASE = 'webhooks';
const CHECKPOINT = fragment`deliveries.checkpoint`;
const READ_MODELS_MS = 1_000;
/** The maximum number of events whose deliveries are written in one transaction. */
const MAX_EVENTS = 64;
/** Once their payloads have this many characters together, no further event or delivery is added to a transaction. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** How many events are planned concurrently. */
const AT_A_TIME = 8;
/** How often the checkpoint is written while events have no deliveries. */
const CHECKPOINT_EVERY_MS = 1_000;

/**
 * Turns events into deliveries, each exactly once. One process leads, others stand by. Deliveries are written in the
 * transaction that moves the checkpoint or, if they are too large for one or if there is work afterwards, in earlier ones.
 * All these transactions fail if another process has moved the checkpoint.
 */
export class Planner {
  constructor(private readonly options: PlannerOptions) {}

  /** Works until it is aborted, then releases its lease. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, logger } = this.options;
    await lead({ database, lease: LEASE, logger }, (own, held) => this.#follow(own, held), signal);
  }

  async #follow(database: Database, signal: AbortSignal): Promise<void> {
    const { log, logger } = this.options;
    const checkpoint = await readCheckpoint(database, CHECKPOINT);
    let { position } = checkpoint;
    logger.info({ position: String(position) }, 'planning deliveries');
    let written = performance.now();
    const subscription = { signal, latest: checkpoint.recordedAt, markUnreadable: true };
    for await (const { events } of log.subscribe(position, subscription)) {
      for (let rest = events; rest.length > 0;) {
        const plan = await this.#plan(this.#next(rest), signal);
        rest = rest.slice(plan.events.length);
        if (signal.aborted) return;
        const isEmpty = plan.deliveries.length === 0 && !plan.large && plan.afterwards.length === 0;
        const last = plan.events.at(-1);
        if (!last || (isEmpty && performance.now() - written < CHECKPOINT_EVERY_MS)) continue;
        if (!(await this.#carryOut(plan, { from: position, to: last }, database, signal))) return;
        ({ position } = last);
        written = performance.now();
      }
    }
  }

  /**
   * Writes the deliveries, does the work that follows, and then moves the checkpoint. That work may remove what deliveries
   * are made from, and some deliveries too. Returns false if it was aborted before the end; the whole plan is then repeated.
   */
  async #carryOut(
    { deliveries, large, afterwards }: Plan,
    { from, to }: { readonly from: Position; readonly to: DomainEvent },
    database: Database,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (!large && afterwards.length === 0) {
      await database.transaction(async (connection) => {
        await moveCheckpoint(connection, CHECKPOINT, from, to);
        await insertDeliveries(connection, deliveries);
      });
      return true;
    }
    const write = (part: Deliveries) =>
      database.transaction(async (connection) => {
        await holdCheckpoint(connection, CHECKPOINT, from);
        await insertDeliveries(connection, part);
      });
    await (large ? this.#writeParts(large, write, signal) : write(deliveries));
    for (const work of afterwards) await work(signal);
    if (signal.aborted) return false;
    await database.transaction((connection) => moveCheckpoint(connection, CHECKPOINT, from, to));
    return true;
  }

  /**
   * Returns the next events to plan together. An event with work afterwards is planned alone, because that work may remove
   * deliveries of earlier events, which must not be planned again after a crash.
   */
  #next(events: readonly DomainEvent[]): readonly DomainEvent[] {
    const next = events.slice(0, MAX_EVENTS);
    const alone = next.findIndex((event) => isReadable(event) && this.options.afterwards(event));
    return alone < 0 ? next : next.slice(0, Math.max(alone, 1));
  }

  /** Plans these events in order, but stops early when their payloads take too much memory. */
  async #plan(events: readonly DomainEvent[], signal: AbortSignal): Promise<Plan> {
    const { concerns, afterwards } = this.options;
    const last = events.filter(isReadable).findLast((event) => concerns(event) || afterwards(event));
    if (last) await this.#untilReached(last.position, signal);
    const planned: Deliveries[] = [];
    let [begun, characters, large] = [0, 0, Infinity];
    const inTurn = function* () {
      for (const entry of events.entries()) {
        if (characters >= MAX_CHARACTERS) return;
        begun += 1;
        yield entry;
      }
    };
    await eachOf(inTurn(), AT_A_TIME, async ([index, event]) => {
      const deliveries = await this.#planOne(event, signal);
      const its = deliveries.reduce((sum, { payload }) => sum + payload.length, 0);
      characters += its;
      planned[index] = deliveries;
      if (its >= MAX_CHARACTERS) large = Math.min(large, index);
    });
    const done = events.slice(0, Math.max(Math.min(begun, large), 1));
    return {
      events: done,
      deliveries: planned.slice(0, large).flat(),
      large: large === 0 ? done[0] : undefined,
      afterwards: done.filter(isReadable).flatMap((event) => this.#afterwards(event) ?? []),
    };
  }

  async #untilReached(position: Position, signal: AbortSignal): Promise<void> {
    const { reached, logger } = this.options;
    while (!(await reached(position)) && !signal.aborted) {
      logger.warn({ position: String(position) }, 'deliveries wait for the read models');
      await pause(READ_MODELS_MS, signal);
    }
  }

  /** Returns an event's deliveries, or the first part of them. */
  async #planOne(event: DomainEvent, signal: AbortSignal): Promise<Deliveries> {
    const { concerns, logger } = this.options;
    const { unreadable, stream, revision, type } = event;
    if (unreadable) {
      const facts = { err: unreadable, stream, revision, type };
      logger.error(facts, 'nothing is sent of an event: it is unreadable');
      return [];
    }
    if (!concerns(event)) return [];
    const plan = async () => {
      for await (const part of this.#partsOf(event)) return part;
      return [];
    };
    return (await stubbornly(event, plan, { logger, signal })) ?? [];
  }

  /** Plans an event anew, and writes each part of its deliveries. Rejects if one could not be written. */
  async #writeParts(
    event: DomainEvent,
    write: (part: Deliveries) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { logger } = this.options;
    const work = async () => {
      for await (const part of this.#partsOf(event)) {
        if (signal.aborted) break;
        const [written] = await Promise.allSettled([write(part)]);
        if (written.status === 'rejected') return written;
      }
      return undefined;
    };
    const failed = await stubbornly(event, work, { logger, signal });
    if (failed) throw failed.reason;
  }

  /** Yields the deliveries of an event, split where their payloads get too large to be held together. */
  async *#partsOf(event: DomainEvent): AsyncGenerator<Deliveries> {
    let [part, characters]: [NewDelivery[], number] = [[], 0];
    for await (const { key, ...delivery } of this.options.plan(event)) {
      part.push({ ...delivery, id: deliveryId(event.id, { hookId: delivery.hookId, key }) });
      characters += delivery.payload.length;
      if (characters < MAX_CHARACTERS) continue;
      yield part;
      [part, characters] = [[], 0];
    }
    if (part.length > 0) yield part;
  }

  #afterwards(event: DomainEvent): Work | undefined {
    const { afterwards, logger } = this.options;
    const work = afterwards(event);
    return work && ((signal) => stubbornly(event, work, { logger, signal }));
  }
}

const isReadable = ({ unreadable }: DomainEvent): boolean => unreadable === undefined;
