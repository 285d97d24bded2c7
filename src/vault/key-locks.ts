import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../database/sql.js';
import { Queues } from '../queues.js';
import type { Session } from './session.js';

const LONGEST_PAUSE_MS = 100;

/** Lets one piece of work at a time run for a key, in all processes; the lock ends with the process at the latest. */
export class KeyLocks {
  readonly #queues = new Queues();

  constructor(private readonly session: Session) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#queues.run(key, async () => {
      await this.#acquire(key);
      try {
        return await work();
      } finally {
        await this.#release(key);
      }
    });
  }

  /** As `run`, unless somebody else is at it: then undefined, and nothing was done. */
  async tryRun<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.#tryAcquire(key))) return undefined;
    try {
      return await work();
    } finally {
      await this.#release(key);
    }
  }

  async #acquire(key: string): Promise<void> {
    for (let wait = 5; !(await this.#tryAcquire(key)); wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      await sleep(wait);
    }
  }

  /** Where the connection broke, the lock is gone already. */
  async #release(key: string): Promise<void> {
    await this.session
      .rows(sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`)
      .catch(() => undefined);
  }

  async #tryAcquire(key: string): Promise<boolean> {
    const rows = await this.session.rows<{ acquired: boolean }>(sql`
      select pg_try_advisory_lock(hashtextextended(${key}, 0)) as acquired`);
    return rows.some(({ acquired }) => acquired);
  }
}
