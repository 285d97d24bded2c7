import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { pauseAfter, type BackOff } from '../back-off.js';
import { EventStoreUnavailable } from '../event-store.js';
import { closeClient, openClient } from './client.js';
import { isNotLeader, isUnavailable, isVerdict, NoAnswer, unanswered } from './errors.js';

/**
 * A client, which is replaced when it fails. The clients of a process share the list of their pending
 * appends: when one loses its connection all are rejected, and a healthy client that then gets an answer to one of
 * them is wedged. So every client is replaced on the first failure without a verdict, and not only the guilty one.
 */
export class Connection {
  #client: EventStoreDBClient;
  #replacing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(
    private readonly url: string,
    private readonly backOff: BackOff,
  ) {
    this.#client = this.#open();
  }

  /**
   * Runs an action until the server gave a verdict, at most `attempts` times, then refuses with
   * `EventStoreUnavailable`; so it does, once an attempt was not answered, with any other failure, for that one may have
   * taken effect. The action must bound its own time and may run again after it took effect.
   */
  async run<T>(attempts: number, action: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const client = await this.client();
      try {
        return await action(client);
      } catch (error) {
        if (!isUnavailable(error)) throw attempt === 1 || isVerdict(error) ? error : unanswered(error);
        if (!isNotLeader(error)) await this.replace(client);
        if (attempt >= attempts || this.#closed) throw unanswered(error);
        await sleep(pauseAfter(attempt, this.backOff));
      }
    }
  }

  /**
   * Runs an action that only reads, as `run` does. If the client is replaced meanwhile, because another call failed, the
   * result is discarded: its reads then end as if they were complete.
   */
  read<T>(attempts: number, action: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    return this.run(attempts, async (client) => {
      const answer = await action(client);
      if (client !== this.#client || this.#closed) throw new NoAnswer('the connection was given up');
      return answer;
    });
  }

  /** The client to use now. Refuses with `EventStoreUnavailable` once closed. */
  async client(): Promise<EventStoreDBClient> {
    await this.#replacing;
    if (this.#closed) throw new EventStoreUnavailable('the event store is closed');
    return this.#client;
  }

  /**
   * Puts a new client in the place of one that failed; many may report the same one. Refuses with `EventStoreUnavailable`,
   * and keeps that one, where none can be made, as while its certificates are being replaced.
   */
  async replace(failed: EventStoreDBClient): Promise<void> {
    if (failed === this.#client && !this.#closed) {
      this.#client = this.#open();
      // An old client that ends rejects the appends of all clients in the process: none may be under way yet.
      this.#replacing = closeClient(failed);
    }
    await this.#replacing;
  }

  #open(): EventStoreDBClient {
    try {
      return openClient(this.url);
    } catch (error) {
      throw unanswered(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#replacing;
    await closeClient(this.#client);
  }
}
