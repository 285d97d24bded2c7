import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.js';
import type { Logger } from '../logging/logger.js';
import { leasePostgres, type PostgresLease } from '../postgres/lease.js';

const RETRY_MS = 1_000;

/** A lease on PostgreSQL that restarts the server at the same URL whenever it goes away, until the lease is released. */
export class DatabaseLease {
  readonly #released = new AbortController();
  #lease: PostgresLease;

  /** Takes a lease on the configured PostgreSQL; an embedded one is started if it does not run. */
  static async take(config: Config, log: Logger): Promise<DatabaseLease> {
    return new DatabaseLease(config, log, await lease(config, log));
  }

  private constructor(
    private readonly config: Config,
    private readonly log: Logger,
    lease: PostgresLease,
  ) {
    this.#lease = lease;
    void this.#keep();
  }

  /** The connection string of the server. */
  get url(): string {
    return this.#lease.url;
  }

  /** Gives the lease up for good. */
  async release(): Promise<void> {
    this.#released.abort();
    await this.#lease.release();
  }

  async #keep(): Promise<void> {
    for (;;) {
      await this.#lease.lost;
      if (this.#isReleased()) return;
      this.log.error('PostgreSQL went away: starting it again');
      await this.#takeAgain();
    }
  }

  async #takeAgain(): Promise<void> {
    while (!this.#isReleased()) {
      try {
        this.#lease = await lease(this.config, this.log);
        // `release` was called while the server started, and could not release this new lease.
        if (this.#isReleased()) await this.#lease.release();
        else this.log.info('PostgreSQL is back');
        return;
      } catch (error) {
        this.log.error({ err: error }, 'PostgreSQL cannot be started');
        await sleep(RETRY_MS);
      }
    }
  }

  #isReleased(): boolean {
    return this.#released.signal.aborted;
  }
}

const lease = (config: Config, log: Logger) =>
  leasePostgres(config, (line) => {
    log.info(line);
  });
