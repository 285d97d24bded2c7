import type pg from 'pg';
import { Client } from '../../src/database/client.js';
import { connectionOptions, sessionOptions, type DatabaseOptions } from '../../src/database/database.js';
import { nameOf, type Statement } from '../../src/database/sql.js';
import type { TextRow } from '../../src/database/text-row.js';
import { asFenced } from './errors.js';
import { StatementBatch } from './statement-batch.js';

const OPTIONS = sessionOptions(
  // A read model's commit need not be on disk: after a crash rows and checkpoint are older together, and the log
  // fills the gap.
  'synchronous_commit=off',
  // A writer that stops in a transaction must not keep its locks from the next one.
  'idle_in_transaction_session_timeout=5s',
  // Planning a statement anew for each batch costs more than running it for a small one. The plan that is kept may be
  // made while the tables are empty.
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
);

/** What one transaction does. */
interface Work {
  /** Sent before anything else. */
  readonly first: Statement;
  /** Read what has to be known before it is clear what to write. */
  readonly reads: readonly Statement[];
  /** The statements that follow from the rows of `reads`, in their order. */
  readonly writes: (rows: readonly (readonly TextRow[])[]) => readonly Statement[];
}

/** A writer's connection. */
export class Session {
  readonly #prepared = new Set<string>();
  #lost: Error | undefined;

  private constructor(private readonly client: pg.Client) {
    client.on('error', (error) => (this.#lost = error));
    client.on('end', () => (this.#lost ??= new Error('the connection was closed')));
  }

  static async connect(options: DatabaseOptions): Promise<Session> {
    const client = new Client({ ...connectionOptions(options), options: OPTIONS });
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

  /**
   * One transaction, in one round trip where nothing must be read, else in two. Rejects with the first failure, and
   * then nothing was written.
   */
  async transaction({ first, reads, writes }: Work): Promise<void> {
    if (reads.length === 0) {
      await this.#send([first, ...writes([])]);
      return;
    }
    try {
      const [, , ...rows] = await this.#send([BEGIN, first, ...reads]);
      await this.#send([...writes(rows), COMMIT]);
    } catch (error) {
      if (this.usable) await this.#send([ROLLBACK]).catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  async #send(statements: readonly Statement[]): Promise<readonly (readonly TextRow[])[]> {
    try {
      return await this.client.query(new StatementBatch(statements, this.#prepared)).answers;
    } catch (error) {
      throw asFenced(error);
    }
  }
}

const plain = (text: string): Statement => ({ name: nameOf(text), text, values: [] });
const BEGIN = plain('begin');
const COMMIT = plain('commit');
const ROLLBACK = plain('rollback');
