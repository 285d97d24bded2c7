import type pg from 'pg';
import { namesToClose } from '../../src/database/prepared-limit.js';
import type { Statement } from '../../src/database/sql.js';
import type { TextRow } from '../../src/database/text-row.js';

/** The methods of pg's `Connection` that are used here; its published types demand arguments that it does not need. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  close(statement: { readonly type: 'S'; readonly name: string }): void;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(portal: {
    readonly statement: string;
    readonly values: readonly unknown[];
    readonly valueMapper: (value: never) => string | null;
  }): void;
  execute(portal: object): void;
  sync(): void;
}

/**
 * A pipeline of statements, sent at once and ended by a single sync. PostgreSQL executes them in order, as one transaction
 * if none is open, and skips all that follow the first error.
 */
export class StatementBatch implements pg.Submittable {
  /** The rows of each statement; rejects with the first failure. */
  readonly answers: Promise<readonly (readonly TextRow[])[]>;
  readonly #rows: TextRow[][];
  #current = 0;
  #resolve!: (rows: readonly (readonly TextRow[])[]) => void;
  #reject!: (error: unknown) => void;

  /**
   * `prepared` has the names of the connection's prepared statements, least recently used first. The batch adds its own
   * once it has succeeded, and closes those that exceed the limit.
   */
  constructor(
    private readonly statements: readonly Statement[],
    private readonly prepared: Set<string>,
  ) {
    this.#rows = statements.map(() => []);
    this.answers = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    const used = new Set(this.statements.map(({ name }) => name));
    wire.stream.cork();
    try {
      for (const name of namesToClose(this.prepared, (name) => used.has(name))) {
        this.prepared.delete(name);
        wire.close({ type: 'S', name });
      }
      const parsed = new Set(this.prepared);
      for (const { name, text, values } of this.statements) {
        if (!parsed.has(name)) {
          parsed.add(name);
          wire.close({ type: 'S', name }); // a failed batch may have left it prepared
          wire.parse({ name, text });
        }
        wire.bind({ statement: name, values, valueMapper: asText });
        wire.execute({});
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.#rows[this.#current]?.push(fields);
  }

  handleCommandComplete(): void {
    this.#current += 1;
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    for (const { name } of this.statements) {
      this.prepared.delete(name);
      this.prepared.add(name);
    }
    this.#resolve(this.#rows);
  }
}

const asText = (value: string | number | null): string | null => (value === null ? null : String(value));
