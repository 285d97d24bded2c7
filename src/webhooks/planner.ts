import type { Database, DatabaseOptions } from '../database/database.js';
import { fragment } from '../database/sql.js';
import type { DomainEvent } from '../domain/domain-event.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Position } from '../event-store/event-store.js';
import { holdCheckpoint, moveCheckpoint, readCheckpoint } from '../followers/checkpoint.js';
import { lead } from '../followers/lead.js';
import { eachOf } from '../each-of.js';
import { pause } from '../pause.js';
import { stubbornly } from '../followers/stubbornly.js';
import type { Logger } from '../logger.js';
import { deliveryId } from './delivery-id.js';
import { insertDeliveries, type NewDelivery } from './insert-deliveries.js';
import type { PlannedDelivery } from './planned.js';

/** What turns events into deliveries; after a crash `plan` is asked again about the same events. */
export interface PlannerOptions {
  readonly database: DatabaseOptions;
  readonly log: Pick<EventLog, 'subscribe'>;
  /** Whether an event may have to be sent, by its type alone. */
  readonly concerns: (event: DomainEvent) => boolean;
  /** What an event is to be sent as, in order; asked once the read models show it. */
  readonly plan: (event: DomainEvent) => Promise<readonly PlannedDelivery[]>;
  /** What is to be done once an event's deliveries are written; done again after a crash. */
  readonly afterwards: (event: DomainEvent) => (() => Promise<void>) | undefined;
  /** Resolves when the read models that plans are made from have passed the position, false where they have not. */
  readonly reached: (position: Position) => Promise<boolean>;
  readonly logger: Logger;
}

type Work = (signal: AbortSignal) => Promise<void>;

/** Consecutive events, what they are to be sent as, and what comes after that. */
interface Plan {
  readonly events: readonly DomainEvent[];
  readonly deliveries: readonly NewDelivery[];
  readonly afterwards: readonly Work[];
}

const LEASE = 'webhooks';
const CHECKPOINT = fragment`deliveries.checkpoint`;
const READ_MODELS_MS = 1_000;
/** Events whose deliveries are written in one transaction. */
const MAX_EVENTS = 64;
/** Of the payloads of these: no other event is begun after the one that goes beyond. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** Events that are planned at a time. */
const AT_A_TIME = 8;
/** A checkpoint that only passes events over is written so often. */
const CHECKPOINT_EVERY_MS = 1_000;

/**
 * Turns events into deliveries, each once: one process does, others stand by. Deliveries are written in the transaction
 * that moves the checkpoint, or in one before where something comes afterwards; both fail where another process has
 * moved it.
 */
export class Planner {
  constructor(private readonly options: PlannerOptions) {}

  /** Works until it is aborted, and gives the lease up then. */
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
        const isEmpty = plan.deliveries.length === 0 && plan.afterwards.length === 0;
        const last = plan.events.at(-1);
        if (!last || (isEmpty && performance.now() - written < CHECKPOINT_EVERY_MS)) continue;
        if (!(await this.#carryOut(plan, { from: position, to: last }, database, signal))) return;
        ({ position } = last);
        written = performance.now();
      }
    }
  }

  /**
   * Writes the deliveries, moves the checkpoint, and does what comes afterwards in between: it may take away what deliveries
   * are made of, and some of them again. False where it was stopped before it was through, which is then done again.
   */
  async #carryOut(
    { deliveries, afterwards }: Plan,
    { from, to }: { readonly from: Position; readonly to: DomainEvent },
    database: Database,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (afterwards.length === 0) {
      await database.transaction(async (connection) => {
        await moveCheckpoint(connection, CHECKPOINT, from, to);
        await insertDeliveries(connection, deliveries);
      });
      return true;
    }
    await database.transaction(async (connection) => {
      await holdCheckpoint(connection, CHECKPOINT, from);
      await insertDeliveries(connection, deliveries);
    });
    for (const work of afterwards) await work(signal);
    if (signal.aborted) return false;
    await database.transaction((connection) => moveCheckpoint(connection, CHECKPOINT, from, to));
    return true;
  }

  /**
   * The events that are planned together: one that something comes after stands alone, since that may take deliveries of
   * earlier ones away, which a crash must not bring back.
   */
  #next(events: readonly DomainEvent[]): readonly DomainEvent[] {
    const next = events.slice(0, MAX_EVENTS);
    const alone = next.findIndex((event) => isReadable(event) && this.options.afterwards(event));
    return alone < 0 ? next : next.slice(0, Math.max(alone, 1));
  }

  /** Plans these events, or as many of the first of them as have deliveries that can be held in memory. */
  async #plan(events: readonly DomainEvent[], signal: AbortSignal): Promise<Plan> {
    const { concerns, afterwards } = this.options;
    const last = events.filter(isReadable).findLast((event) => concerns(event) || afterwards(event));
    if (last) await this.#untilReached(last.position, signal);
    const planned: NewDelivery[][] = [];
    let [begun, characters] = [0, 0];
    const inTurn = function* () {
      for (const entry of events.entries()) {
        if (characters >= MAX_CHARACTERS) return;
        begun += 1;
        yield entry;
      }
    };
    await eachOf(inTurn(), AT_A_TIME, async ([index, event]) => {
      const deliveries = await this.#planOne(event, signal);
      for (const { payload } of deliveries) characters += payload.length;
      planned[index] = deliveries;
    });
    const done = events.slice(0, begun);
    return {
      events: done,
      deliveries: planned.flat(),
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

  async #planOne(event: DomainEvent, signal: AbortSignal): Promise<NewDelivery[]> {
    const { concerns, plan, logger } = this.options;
    const { unreadable, stream, revision, type } = event;
    if (unreadable) {
      const facts = { err: unreadable, stream, revision, type };
      logger.error(facts, 'nothing is sent of an event: it is unreadable');
      return [];
    }
    if (!concerns(event)) return [];
    const planned = await stubbornly(event, () => plan(event), { logger, signal });
    return (planned ?? []).map(({ key, ...delivery }) => ({
      ...delivery,
      id: deliveryId(event.id, { hookId: delivery.hookId, key }),
    }));
  }

  #afterwards(event: DomainEvent): Work | undefined {
    const { afterwards, logger } = this.options;
    const work = afterwards(event);
    return work && ((signal) => stubbornly(event, work, { logger, signal }));
  }
}

const isReadable = ({ unreadable }: DomainEvent): boolean => unreadable === undefined;
