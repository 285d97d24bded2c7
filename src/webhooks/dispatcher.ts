import { once } from 'node:events';
import { keepAsking } from '../database/client.js';
import { Database } from '../database/database.js';
import { WakeUps } from '../event-store/postgres/wake-ups.js';
import { keepHouse } from '../housekeeping.js';
import type { Logger } from '../logger.js';
import { guardedAgent } from '../outgoing/guarded-agent.js';
import type { OutgoingRules } from '../outgoing/guarded-connect.js';
import { pause } from '../pause.js';
import { thaw } from './frozen-target.js';
import { removeOldDeliveries } from './housekeeping.js';
import { DELIVERIES_CHANNEL } from './insert-deliveries.js';
import { Lanes } from './lanes.js';
import type { FindHookTarget } from './planned.js';
import { Planner, type PlannerOptions } from './planner.js';
import { poster, TIMEOUT_MS } from './post.js';
import { PLACES, Sender } from './sender.js';

/**
 * What deliveries are planned with, and sent: `rules` say which addresses may be reached, `findTarget` where a hook
 * leads.
 */
export interface DispatcherOptions extends PlannerOptions {
  /** Opens what a hook left behind: 32 bytes. */
  readonly key: Buffer;
  readonly rules: OutgoingRules;
  readonly findTarget: FindHookTarget;
  /** For one request; 5 s by default. */
  readonly timeoutMs?: number;
  /** The clock that says when attempts are due; the system's by default. */
  readonly now?: () => Date;
}

const RECONNECT_MS = 500;

/** Sends what happens to who asked for it: plans deliveries from the log, and makes them. Any number may run. */
export class Dispatcher {
  constructor(private readonly options: DispatcherOptions) {}

  /** Works until it is aborted; what is being sent then is sent and written down. */
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
    const agent = guardedAgent(rules, {
      connections: PLACES.first + PLACES.retry,
      connectTimeoutMs: timeoutMs,
    });
    const sender = new Sender({
      lanes: new Lanes(db),
      wakeUps,
      findTarget,
      thaw: (id, frozen) => thaw(key, id, frozen),
      post: poster(agent, timeoutMs),
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
      ]);
    } finally {
      await agent.destroy();
      await db.close();
    }
  }
}

/** Hears of new deliveries; while it does not, senders look for themselves. */
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
