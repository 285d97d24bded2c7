import pg from 'pg';
import { namesToClose } from './prepared-limit.js';
import type { Statement } from './sql.js';

/** The parts of pg's connection that its types lack. */
interface Connection {
  /** The texts of statements that the server has prepared, and of those it is about to prepare, by name. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  close(statement: { readonly type: 'S'; readonly name: string }): void;
}

interface FieldDescription {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The parts of pg's query that its types lack. */
interface PgQuery {
  name: string;
  callback: (error: Error | null) => void;
  prepare(connection: Connection): void;
}
const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: PgQuery['callback'],
) => PgQuery;
const parserOf = pg.types.getTypeParser as (type: number, format: 'text') => (text: string) => unknown;

type ReadRow<R> = (values: readonly (string | null)[]) => R;

/** A connection's statements by name, least recently used first, with the reader of their rows once that is known. */
type Known = Map<string, ReadRow<object> | undefined>;

/**
 * A named statement under way. Its columns are described once per connection instead of with each execution, because
 * describing and parsing 60 columns costs both sides more than a row of them.
 */
class PreparedQuery<R extends object> extends Query {
  readonly found: R[] = [];
  #readRow: ReadRow<R> | undefined;
  #failure: Error | undefined;

  constructor(
    { name, text, values }: Statement,
    private readonly known: Known,
    callback: (error: Error | null) => void,
  ) {
    super(text, values, callback);
    this.name = name;
    this.#readRow = known.get(name) as ReadRow<R> | undefined;
  }

  override prepare(connection: Connection): void {
    this.#use(connection);
    super.prepare(this.#readRow ? withoutDescribe(connection) : connection);
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDescription[] }): void {
    this.#readRow = rowReader<R>(fields);
    this.known.set(this.name, this.#readRow);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      if (this.#readRow) this.found.push(this.#readRow(fields));
    } catch (error) {
      this.#failure ??= error as Error;
    }
  }

  handleCommandComplete(): void {
    // The number of rows is known from the rows.
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure ?? null);
  }

  /** Records the use, and closes the least recently used statements, except those that are not prepared yet. */
  #use(connection: Connection): void {
    const { parsedStatements, submittedNamedStatements } = connection;
    const readRow = this.known.get(this.name) ?? this.#readRow;
    this.known.delete(this.name);
    this.known.set(this.name, readRow);
    const names = namesToClose(this.known, (name) => name === this.name || name in submittedNamedStatements);
    for (const name of names) {
      this.known.delete(name);
      if (name in parsedStatements) connection.close({ type: 'S', name });
      Reflect.deleteProperty(parsedStatements, name);
    }
  }
}

function rowReader<R>(fields: readonly FieldDescription[]): ReadRow<R> {
  const names = fields.map(({ name }) => name);
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID, 'text'));
  const empty = Object.fromEntries(names.map((name) => [name, null]));
  return (values) => {
    const row: Record<string, unknown> = { ...empty };
    values.forEach((value, index) => {
      if (value !== null) row[names[index] ?? ''] = parsers[index]?.(value);
    });
    return row as R;
  };
}

const knownBy = new WeakMap<pg.ClientBase, Known>();
const quiet = new WeakMap<Connection, Connection>();

/** Returns the same connection with a `describe` that does nothing. */
function withoutDescribe(connection: Connection): Connection {
  let same = quiet.get(connection);
  if (!same) {
    same = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
    quiet.set(connection, same);
  }
  return same;
}

/** Runs a statement on a connection, pipelined or not. Rejects with pg's errors. */
export function rowsOf<R extends object>(client: pg.ClientBase, statement: Statement | string): Promise<R[]> {
  if (typeof statement === 'string') return client.query<R>(statement).then(({ rows }) => rows);
  let known = knownBy.get(client);
  if (!known) knownBy.set(client, (known = new Map<string, undefined>()));
  return ask(client, statement, known);
}

const ask = <R extends object>(client: pg.ClientBase, statement: Statement, known: Known): Promise<R[]> =>
  new Promise((resolve, reject) => {
    const query = new PreparedQuery<R>(statement, known, (error) => {
      if (error) reject(error);
      else resolve(query.found);
    });
    client.query(query as unknown as pg.Submittable);
  });
