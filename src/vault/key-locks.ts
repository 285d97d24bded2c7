import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import { DatabaseUnavailable } from '../database/unavailable.js';
import { Queues } from '../concurrency/queues.js';
import type { Session } from './session.js';

const LONGEST_PAUSE_MS = 100;

/** Locks by key, across all processes; a lock ends with its process at the latest. */
export class KeyLocks {
  readonly #queues = new Queues();

  constructor(private readonly session: Session) {}

  /**
   * Runs `work` once the lock is free. `stillHeld` throws `DatabaseUnavailable` if the lock was lost with its connection, so
   * that others may have it.
   */
  async run<T>(key: string, work: (stillHeld: () => void) => Promise<T>): Promise<T> {
    return this.#queues.run(key, async () => {
      const connection = await this.#acquire(key);
      const stillHeld = () => {
        if (this.session.connection !== connection) throw new DatabaseUnavailable('a lock was lost');
      };
      return this.#andRelease(key, () => work(stillHeld));
    });
  }

  /** Runs `work` if the lock is free; otherwise resolves with undefined at once. */
  async tryRun<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    return (await this.#tryAcquire(key)) ? this.#andRelease(key, work) : undefined;
  }

  /** Runs `work` under the lock. Ignores errors of the release, because a lock is gone if its connection broke. */
  async #andRelease<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      await this.session
        .rows(sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`)
        .catch(() => undefined);
    }
  }

  /** Resolves with the connection that holds the lock. */
  async #acquire(key: string): Promise<Queryable | undefined> {
    for (let wait = 5; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      const { connection } = this.session;
      if (await this.#tryAcquire(key)) return connection;
      await sleep(wait);
    }
  }

  async #tryAcquire(key: string): Promise<boolean> {
    const rows = await this.session.rows<{ acquired: boolean }>(sql`
      select pg_try_advisory_lock(hashtextextended(${key}, 0)) as acquired`);
    return rows.some(({ acquired }) => acquired);
  }
}
