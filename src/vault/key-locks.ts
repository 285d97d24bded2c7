import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import { Queues } from '../concurrency/queues.js';
import type { Session } from './session.js';

const LONGEST_PAUSE_MS = 100;

/** Locks by key, across all processes; a lock ends with its process at the latest. */
export class KeyLocks {
  readonly #queues = new Queues();

  constructor(private readonly session: Session) {}

  /**
   * Runs `work` once the lock is free. `holder` is the connection that holds it. Once the lock was lost, so that others may
   * have it, statements of `holder` reject with `DatabaseUnavailable`.
   */
  async run<T>(key: string, work: (holder: Queryable) => Promise<T>): Promise<T> {
    return this.#queues.run(key, async () => {
      const holder = await this.#acquire(key);
      return this.#andRelease(holder, key, () => work(holder));
    });
  }

  /** Runs `work` if the lock is free; otherwise resolves with undefined at once. */
  async tryRun<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    const holder = this.session.connection;
    return (await tryAcquire(holder, key)) ? this.#andRelease(holder, key, work) : undefined;
  }

  /** Runs `work` under the lock. Ignores errors of the release, because a lock is gone if its connection broke. */
  async #andRelease<T>(holder: Queryable, key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      await holder.rows(sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`).catch(() => undefined);
    }
  }

  /** Resolves with the connection that holds the lock. */
  async #acquire(key: string): Promise<Queryable> {
    for (let wait = 5; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      const { connection } = this.session;
      if (await tryAcquire(connection, key)) return connection;
      await sleep(wait);
    }
  }
}

async function tryAcquire(connection: Queryable, key: string): Promise<boolean> {
  const rows = await connection.rows<{ acquired: boolean }>(sql`
    select pg_try_advisory_lock(hashtextextended(${key}, 0)) as acquired`);
  return rows.some(({ acquired }) => acquired);
}
