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
import type { HookTarget, PlannedDelivery } from './planned.js';

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
  readonly freeze: (id: string, target: HookTarget) => Buffer;
  /** Resolves when the read models that plans are made from have passed the position, false where they have not. */
  readonly reached: (position: Position) => Promise<boolean>;
  readonly logger: Logger;
}

const LEASE = 'webhooks';
const CHECKPOINT = fragment`deliveries.checkpoint`;
const READ_MODELS_MS = 1_000;
/** Events whose deliveries are written in one transaction. */
const MAX_EVENTS = 64;
/** Of the payloads of these: after the event that goes beyond, no other is begun. */
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
  readonly #options: PlannerOptions;

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  /** Works until it is aborted, and gives the lease up then. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, logger } = this.#options;
    await lead({ database, lease: LEASE, logger }, (own, held) => this.#follow(own, held), signal);
  }

  async #follow(database: Database, signal: AbortSignal): Promise<void> {
    const { log, logger } = this.#options;
    const isStopped = () => signal.aborted;
    const checkpoint = await readCheckpoint(database, CHECKPOINT);
    let { position } = checkpoint;
    logger.info({ position: String(position) }, 'planning deliveries');
    let written = performance.now();
    const subscription = { signal, latest: checkpoint.recordedAt, markUnreadable: true };
    for await (const { events } of log.subscribe(position, subscription)) {
      for (let rest = events; rest.length > 0;) {
        const { chunk, deliveries } = await this.#plan(this.#next(rest), signal);
        rest = rest.slice(chunk.length);
        const afterwards = chunk.filter(isReadable).flatMap((event) => this.#afterwards(event) ?? []);
        if (isStopped()) return;
        const [from, to] = [position, chunk.at(-1)];
        const isWorth = deliveries.length > 0 || afterwards.length > 0;
        if (!to || (!isWorth && performance.now() - written < CHECKPOINT_EVERY_MS)) continue;
        if (afterwards.length > 0) {
          // Written before, since what comes afterwards may take away what it is made of, and some of it again.
          await database.transaction(async (connection) => {
            await holdCheckpoint(connection, CHECKPOINT, from);
            await insertDeliveries(connection, deliveries);
          });
          for (const work of afterwards) await work(signal);
          if (isStopped()) return;
        }
        await database.transaction(async (connection) => {
          await moveCheckpoint(connection, CHECKPOINT, from, to);
          if (afterwards.length === 0) await insertDeliveries(connection, deliveries);
        });
        position = to.position;
        written = performance.now();
      }
    }
  }

  /** What is planned at once. What comes after an event may take deliveries of earlier ones away, which a crash must not bring back. */
  #next(events: readonly DomainEvent[]): readonly DomainEvent[] {
    const next = events.slice(0, MAX_EVENTS);
    const alone = next.findIndex((event) => isReadable(event) && this.#options.afterwards(event));
    return alone < 0 ? next : next.slice(0, Math.max(alone, 1));
  }

  /** The deliveries of those events that concern hooks, of as many of the first as can be held. */
  async #plan(
    events: readonly DomainEvent[],
    signal: AbortSignal,
  ): Promise<{ readonly chunk: readonly DomainEvent[]; readonly deliveries: NewDelivery[] }> {
    const { concerns, afterwards } = this.#options;
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
    return { chunk: events.slice(0, begun), deliveries: planned.flat() };
  }

  async #untilReached(position: Position, signal: AbortSignal): Promise<void> {
    const { reached, logger } = this.#options;
    while (!(await reached(position)) && !signal.aborted) {
      logger.warn({ position: String(position) }, 'deliveries wait for the read models');
      await pause(READ_MODELS_MS, signal);
    }
  }

  async #planOne(event: DomainEvent, signal: AbortSignal): Promise<NewDelivery[]> {
    const { concerns, plan, freeze, logger } = this.#options;
    const { unreadable, stream, revision, type } = event;
    if (unreadable) {
      const facts = { err: unreadable, stream, revision, type };
      logger.error(facts, 'nothing is sent of an event: it is unreadable');
      return [];
    }
    if (!concerns(event)) return [];
    const planned = await stubbornly(event, () => plan(event), { logger, signal });
    return (planned ?? []).map(({ key, frozen, ...delivery }) => {
      const id = deliveryId(event.id, { hookId: delivery.hookId, key });
      return { ...delivery, id, ...(frozen && { frozen: freeze(id, frozen) }) };
    });
  }

  #afterwards(event: DomainEvent): ((signal: AbortSignal) => Promise<void>) | undefined {
    const { afterwards, logger } = this.#options;
    const work = afterwards(event);
    return work && ((signal) => stubbornly(event, work, { logger, signal }));
  }
}

const isReadable = ({ unreadable }: DomainEvent): boolean => unreadable === undefined;
