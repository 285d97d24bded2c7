import pg from 'pg';
import { connectionOptions, type DatabaseOptions, type Row } from '../../src/database/database.js';
import type { Statement } from '../../src/database/sql.js';
import { asFenced } from './errors.js';

const SETTINGS = [
  // A read model's commit need not be on disk: after a crash rows and checkpoint are older together, and the log
  // fills the gap.
  '-c synchronous_commit=off',
  // A writer that stops in a transaction must not keep its locks from the next one.
  '-c idle_in_transaction_session_timeout=5s',
  // Planning a statement anew for each batch costs more than running it for a small one. The plan that is kept may be
  // made while the tables are empty.
  '-c plan_cache_mode=force_generic_plan',
  '-c enable_seqscan=off',
].join(' ');

/**
 * A writer's connection. Statements are sent as they come, without waiting for earlier answers; once one of a
 * transaction has failed, PostgreSQL refuses the rest of it, the commit included.
 */
export class Session {
  readonly #client: pg.Client;
  #lost: Error | undefined;

  private constructor(client: pg.Client) {
    this.#client = client;
    client.on('error', (error) => (this.#lost = error));
    client.on('end', () => (this.#lost ??= new Error('the connection was closed')));
  }

  static async connect(options: DatabaseOptions): Promise<Session> {
    const client = new pg.Client({ ...connectionOptions(options), options: SETTINGS, pipeline: true });
    const session = new Session(client);
    try {
      await client.connect();
    } catch (cause) {
      await session.close();
      throw new Error('the database cannot be reached', { cause }); // whatever the reason, it is not the rows
    }
    return session;
  }

  get usable(): boolean {
    return this.#lost === undefined;
  }

  async rows<R extends object = Row>(statement: Statement | string): Promise<R[]> {
    return (await this.#client.query<R>(statement as pg.QueryConfig)).rows;
  }

  /**
   * One transaction: `work` sends statements, and their answers are awaited together with the commit's, so what needs
   * no answer in between takes one round trip. Rejects with the first failure, and then nothing was written.
   */
  async transaction(work: (send: Send) => Promise<void> | void): Promise<void> {
    const answers: Promise<unknown>[] = [];
    const send: Send = <R extends object>(statement: Statement | string) => {
      const answer = this.rows<R>(statement);
      answers.push(answer);
      answer.catch(() => undefined); // looked at below
      return answer;
    };
    let thrown: { readonly error: unknown } | undefined;
    void send('begin');
    try {
      await work(send);
      void send('commit');
    } catch (error) {
      thrown = { error };
      void send('rollback');
    }
    const outcomes = await Promise.allSettled(answers);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw asFenced(failure.reason);
    if (thrown) throw thrown.error;
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }
}

export type Send = <R extends object = Row>(statement: Statement | string) => Promise<R[]>;
