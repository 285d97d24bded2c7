import type { Database, DatabaseOptions } from '../database/database.js';
import type { Fragment } from '../database/sql.js';
import type { DomainEvent } from '../domain/domain-event.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Position } from '../event-store/event-store.js';
import type { Logger } from '../logging/logger.js';
import { moveCheckpoint, readCheckpoint } from './checkpoint.js';
import { lead } from './lead.js';
import { pause } from '../concurrency/pause.js';
import { stubbornly } from './stubbornly.js';

/**
 * Which events are followed and what is done at each. `handle` sees an event again after a crash, and if it rejected:
 * see `stubbornly`.
 */
export interface FollowOptions<E extends DomainEvent> {
  readonly database: DatabaseOptions;
  readonly log: Pick<EventLog, 'subscribe'>;
  readonly logger: Logger;
  /** The name of the lease that the processes compete for. */
  readonly lease: string;
  readonly checkpoint: Fragment;
  /** Asked only of events that can be read: nobody may act on others. */
  readonly concerns: (event: DomainEvent) => event is E;
  /** Waits until the read models that `handle` reads have passed the position; resolves with false if they do not in time. */
  readonly reached: (position: Position) => Promise<boolean>;
  readonly handle: (event: E) => Promise<void>;
}

const REACHED_MS = 1_000;
/** How often the checkpoint is written while no event concerns the follower, in ms. */
const CHECKPOINT_EVERY_MS = 1_000;

/**
 * Handles every event that concerns the follower, in the order of the log. One process works, others stand by. The
 * checkpoint moves after an event was handled, so that a crash repeats events and loses none. Runs until it is aborted,
 * and then gives the lease up.
 */
export const follow = <E extends DomainEvent>(
  options: FollowOptions<E>,
  signal: AbortSignal,
): Promise<void> => lead(options, (database, held) => followOnce(options, database, held), signal);

async function followOnce<E extends DomainEvent>(
  options: FollowOptions<E>,
  database: Database,
  signal: AbortSignal,
): Promise<void> {
  const checkpoint = await readCheckpoint(database, options.checkpoint);
  let { position } = checkpoint;
  let written = performance.now();
  const subscription = { signal, latest: checkpoint.recordedAt, markUnreadable: true };
  for await (const { events } of options.log.subscribe(position, subscription)) {
    const wanted = events.filter(
      (event): event is E => event.unreadable === undefined && options.concerns(event),
    );
    for (const event of wanted) await handle(options, event, signal);
    if (signal.aborted) return;
    const last = events.at(-1);
    if (!last || (wanted.length === 0 && performance.now() - written < CHECKPOINT_EVERY_MS)) continue;
    await moveCheckpoint(database, options.checkpoint, position, last);
    ({ position } = last);
    written = performance.now();
  }
}

async function handle<E extends DomainEvent>(
  { reached, handle, logger, lease }: FollowOptions<E>,
  event: E,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && !(await reached(event.position))) {
    logger.warn({ position: String(event.position), lease }, 'what follows the log waits for what it reads');
    await pause(REACHED_MS, signal);
  }
  await stubbornly(event, () => handle(event), { logger, signal });
}
