import { once } from 'node:events';
import { keepAsking } from '../database/client.js';
import { Database } from '../database/database.js';
import { WakeUps } from '../event-store/postgres/wake-ups.js';
import { keepHouse } from '../database/housekeeping.js';
import type { Logger } from '../logging/logger.js';
import { guardedAgent } from '../outgoing/guarded-agent.js';
import type { OutgoingRules } from '../outgoing/guarded-connect.js';
import { pause } from '../concurrency/pause.js';
import { thaw } from './frozen-target.js';
import { keepHastening, removeOldDeliveries, removeOldPayloads } from './housekeeping.js';
import { DELIVERIES_CHANNEL } from './insert-deliveries.js';
import { Lanes } from './lanes.js';
import type { FindHookTarget } from './planned.js';
import { Planner, type PlannerOptions } from './planner.js';
import { poster, TIMEOUT_MS } from './post.js';
import { PLACES, Sender } from './sender.js';

/**
 * The options for planning and sending deliveries. `rules` say which addresses may be reached, `findTarget` finds where a
 * hook sends to.
 */
export interface DispatcherOptions extends PlannerOptions {
  /** The key that decrypts frozen targets of deleted hooks: 32 bytes. */
  readonly key: Buffer;
  readonly rules: OutgoingRules;
  readonly findTarget: FindHookTarget;
  /** The timeout of one request; 5 s by default. */
  readonly timeoutMs?: number;
  /** The clock for when attempts are due; the system's by default. */
  readonly now?: () => Date;
}

const RECONNECT_MS = 500;

/** Plans webhook deliveries from the log, and sends them. Any number of dispatchers may run at the same time. */
export class Dispatcher {
  constructor(private readonly options: DispatcherOptions) {}

  /** Works until it is aborted; requests in flight are then completed and their outcome recorded. */
  async run(signal: AbortSignal): Promise<void> {
    const {
      database,
      key,
      rules,
      findTarget,
      logger,
      timeoutMs = TIMEOUT_MS,
      now = () => new Date(),
    } = this.options;
    const db = new Database(database);
    const wakeUps = new WakeUps();
    const limits = { connections: PLACES.first + PLACES.retry, connectTimeoutMs: timeoutMs };
    let agent: ReturnType<typeof guardedAgent> | undefined; // created for the first delivery
    const sender = new Sender({
      lanes: new Lanes(db),
      wakeUps,
      findTarget,
      thaw: (id, frozen) => thaw(key, id, frozen),
      post: poster(() => (agent ??= guardedAgent(rules, limits)), timeoutMs),
      now,
      log: logger,
    });
    const planner = new Planner(this.options);
    try {
      await Promise.all([
        planner.run(signal),
        sender.run(signal),
        listen(db, wakeUps, logger, signal),
        keepHouse(() => removeOldDeliveries(db), logger, signal),
        keepHouse(() => removeOldPayloads(db), logger, signal),
        keepHastening(db, now, logger, signal),
      ]);
    } finally {
      await agent?.destroy();
      await db.close();
    }
  }
}

/** Listens for new deliveries, and reconnects when the connection is lost. Meanwhile senders poll by themselves. */
async function listen(db: Database, wakeUps: WakeUps, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await db.exclusive(async (_, client) => {
        await wakeUps.listenOn(client, DELIVERIES_CHANNEL);
        keepAsking(client);
        await once(client, 'end', { signal });
      });
    } catch (error) {
      if ((error as Error).name !== 'AbortError')
        logger.warn({ err: error }, 'nobody tells of new deliveries');
      await pause(RECONNECT_MS, signal);
    }
  }
}
