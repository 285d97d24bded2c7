import type { Database, DatabaseOptions } from '../database/database.js';
import { fragment } from '../database/sql.js';
import type { DomainEvent } from '../domain/domain-event.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Position } from '../event-store/event-store.js';
import { moveCheckpoint, readCheckpoint } from '../followers/checkpoint.js';
import { lead } from '../followers/lead.js';
import { pause } from '../pause.js';
import { stubbornly } from '../followers/stubbornly.js';
import type { Logger } from '../logger.js';
import { deliveryId } from './delivery-id.js';
import { insertDeliveries, type NewDelivery } from './insert-deliveries.js';
import type { HookTarget, PlannedDelivery } from './planned.js';

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
/** Events that are planned at a time, and written in one transaction. */
const CHUNK = 64;
/** A checkpoint that only passes events over is written so often. */
const CHECKPOINT_EVERY_MS = 1_000;

/**
 * Turns events into deliveries, each once: one process does, others stand by. Deliveries and checkpoint are written
 * in one transaction, which fails where another process has moved the checkpoint.
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
      for (const chunk of chunksOf(events, CHUNK)) {
        const deliveries = await this.#plan(chunk, signal);
        const afterwards = chunk.filter(isReadable).flatMap((event) => this.#afterwards(event) ?? []);
        if (isStopped()) return;
        const [from, to] = [position, chunk.at(-1)];
        const isWorth = deliveries.length > 0 || afterwards.length > 0;
        if (!to || (!isWorth && performance.now() - written < CHECKPOINT_EVERY_MS)) continue;
        if (afterwards.length > 0) {
          // Written before, since what comes afterwards may take away what it is made of; once, by its ids.
          await insertDeliveries(database, deliveries);
          for (const work of afterwards) await work(signal);
          if (isStopped()) return;
        }
        await database.transaction(async (connection) => {
          await moveCheckpoint(connection, CHECKPOINT, from, to);
          await insertDeliveries(connection, deliveries);
        });
        position = to.position;
        written = performance.now();
      }
    }
  }

  /** The deliveries of those events that concern hooks. */
  async #plan(events: readonly DomainEvent[], signal: AbortSignal): Promise<NewDelivery[]> {
    const { concerns, afterwards, reached, logger } = this.#options;
    for (const { unreadable, stream, revision, type } of events) {
      if (!unreadable) continue;
      logger.error(
        { err: unreadable, stream, revision, type },
        'nothing is sent of an event: it is unreadable',
      );
    }
    const readable = events.filter(isReadable);
    const concerned = readable.filter(concerns);
    const last = readable.findLast((event) => concerns(event) || afterwards(event));
    if (!last) return [];
    while (!(await reached(last.position))) {
      if (signal.aborted) return [];
      logger.warn({ position: String(last.position) }, 'deliveries wait for the read models');
      await pause(READ_MODELS_MS, signal);
    }
    const planned = await Promise.all(concerned.map((event) => this.#planOne(event, signal)));
    return planned.flat();
  }

  async #planOne(event: DomainEvent, signal: AbortSignal): Promise<NewDelivery[]> {
    const { plan, freeze, logger } = this.#options;
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

function* chunksOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}
