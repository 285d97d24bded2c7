import type { Queryable } from '../../src/database/queryable.js';
import { nameOf, type Statement } from '../../src/database/sql.js';
import type { TextRow } from '../../src/database/text-row.js';
import type { AccountEvent } from '../../src/domain/accounts/account-messages.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import { handles, type Projection } from '../projection.js';
import { keyText, type Cells } from './cells.js';
import { TableChanges } from './changes.js';
import { HandlerFailed } from './errors.js';
import { SetChanges } from './set-changes.js';
import { readShapes, type TableShape } from './table-shape.js';
import { TableWriter } from './table-writer.js';

/** A projection together with the schema that holds its tables. */
export class ReadModel {
  private constructor(
    readonly projection: Projection,
    readonly schema: string,
    readonly tables: readonly TableWriter[],
  ) {}

  /** Reads the shapes of the tables from the schema. Rejects if one is missing or does not fit the projection. */
  static async open(db: Queryable, projection: Projection, schema: string): Promise<ReadModel> {
    const shapes = await readShapes(db, projection, schema);
    return new ReadModel(
      projection,
      schema,
      shapes.map((shape) => new TableWriter(shape)),
    );
  }

  /**
   * Runs the handlers of these events, and folds the changes of tables that need no rows read. Throws `HandlerFailed` with
   * the event at which a handler threw, or with a handled event that is unreadable.
   */
  gather(events: readonly DomainEvent[]): Gathered {
    const { on } = this.projection;
    const concerning = events.filter(({ type }) => handles(this.projection, type));
    if (concerning.length === 0) return new Gathered(this, [], []);

    const tables = this.tables.map((writer) => ({ changes: changesOf(writer.shape), writer }));
    const byName = Object.fromEntries(tables.map(({ changes }) => [changes.shape.name, changes]));
    for (const event of concerning) {
      if (event.unreadable) throw new HandlerFailed(event, event.unreadable);
      for (const { changes } of tables)
        if (changes instanceof TableChanges) changes.position = event.position;
      try {
        on[event.type]?.(event, byName);
      } catch (error) {
        throw new HandlerFailed(event, error);
      }
    }
    return new Gathered(
      this,
      tables.filter(({ changes }) => !changes.isEmpty),
      concerning.filter(isErasure).flatMap(({ data }) => this.#erase(data.accountId)),
    );
  }

  /**
   * Returns the statements that erase a person. They run after all others of the batch, whichever event wrote the rows,
   * because events after an erasure hold nothing personal.
   */
  #erase(accountId: number): Statement[] {
    const { erases = [] } = this.projection;
    return erases.map(({ table, set, where }) => {
      const text = `update "${this.schema}"."${table}" set ${set} where ${where}`;
      return { name: nameOf(text), text, values: [accountId] };
    });
  }
}

const changesOf = (shape: TableShape): TableChanges | SetChanges =>
  shape.sets ? new SetChanges(shape) : new TableChanges(shape);

interface ChangedTable {
  readonly changes: TableChanges | SetChanges;
  readonly writer: TableWriter;
}

/** The changes of a batch to a read model, not written yet. Changes of tables that need no rows read are folded already. */
export class Gathered {
  /** The statements that read the rows that changes build upon. */
  readonly reads: readonly Statement[];
  /** Whether no row changes. */
  readonly isEmpty: boolean;
  readonly #writes: readonly (readonly Statement[] | ChangedTable)[];

  constructor(
    readonly model: ReadModel,
    tables: readonly ChangedTable[],
    erasures: readonly Statement[],
  ) {
    this.isEmpty = tables.length === 0 && erasures.length === 0;
    const builders = tables.filter(({ changes }) => changes.unread.length > 0);
    this.reads = builders.map(({ changes, writer }) => writer.load(changes.unread));
    this.#writes = [
      ...tables.map((table) => (builders.includes(table) ? table : writesOf(table, []))),
      erasures,
    ];
  }

  /** Returns the statements to send. `rows` are the results of `reads`, in the same order. */
  writes(rows: readonly (readonly TextRow[])[]): Statement[] {
    let next = 0;
    return this.#writes.flatMap((writes) =>
      'writer' in writes ? writesOf(writes, rows[next++] ?? []) : writes,
    );
  }
}

const writesOf = ({ changes, writer }: ChangedTable, loaded: readonly TextRow[]): Statement[] =>
  writer.writes(changes, byKey(changes.shape, loaded));

type PersonErased = DomainEvent<Extract<AccountEvent, { type: 'PersonErased' }>>;

const isErasure = (event: DomainEvent): event is PersonErased => event.type === 'PersonErased';

/** Indexes rows that `TableWriter.load` read by their key's text. */
function byKey(shape: TableShape, rows: readonly TextRow[]): Map<string, Cells> {
  return new Map(rows.map((cells) => [keyText(shape.key.map((place) => cells[place] ?? '')), cells]));
}
