import type pg from 'pg';
import { Client } from '../../src/database/client.js';
import {
  connectionOptions,
  GENERIC_PLANS,
  type SessionOptions,
} from '../../src/database/connection-options.js';
import { nameOf, type Statement } from '../../src/database/sql.js';
import type { TextRow } from '../../src/database/text-row.js';
import { asFenced } from './errors.js';
import { StatementBatch } from './statement-batch.js';

const SETTINGS = [
  // A read model's commit need not be on disk: after a crash rows and checkpoint are older together, and the log
  // fills the gap.
  'synchronous_commit=off',
  // A writer that stops in a transaction must not keep its locks from the next one.
  'idle_in_transaction_session_timeout=5s',
  // A batch that takes longer than a database lets statements take would be tried again for ever.
  'statement_timeout=0',
  // Planning a statement for each batch costs more than running it for a small one. Because the generic plan may be made
  // while the tables are empty, sequential scans are switched off.
  GENERIC_PLANS,
  'enable_seqscan=off',
];

/** The statements of one transaction. */
interface Work {
  /** The first statement of the transaction. */
  readonly first: Statement;
  /** Statements whose rows `writes` needs. */
  readonly reads: readonly Statement[];
  /** Returns the statements to send next. `rows` are the results of `reads`, in the same order. */
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

  /** Opens a connection. Rejects if the database cannot be reached, with the reason as cause. */
  static async connect(options: SessionOptions): Promise<Session> {
    const client = new Client(connectionOptions(options, SETTINGS));
    const session = new Session(client);
    try {
      await client.connect();
    } catch (cause) {
      await session.close();
      throw new Error('the database cannot be reached', { cause }); // whatever the reason, it is not the rows
    }
    return session;
  }

  /** Whether the connection is still there, as far as is known. */
  get usable(): boolean {
    return this.#lost === undefined;
  }

  /**
   * Runs one transaction, in one round trip if nothing must be read, else in two. Rejects with the first error; nothing is
   * written then.
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
