import type { Queryable } from '../../src/database/database.js';
import { nameOf, type Statement } from '../../src/database/sql.js';
import type { AccountEvent } from '../../src/domain/accounts/account-messages.js';
import type { ProjectedEvent, Projection } from '../projection.js';
import type { Cells } from './cells.js';
import { keyText } from './cells.js';
import { TableChanges } from './changes.js';
import { HandlerFailed } from './errors.js';
import { readShapes, type TableShape } from './table-shape.js';
import { TableWriter } from './table-writer.js';

/** A projection and the tables of one schema that it fills. */
export class ReadModel {
  private constructor(
    readonly projection: Projection,
    readonly schema: string,
    readonly tables: readonly { readonly shape: TableShape; readonly writer: TableWriter }[],
  ) {}

  static async open(db: Queryable, projection: Projection, schema: string): Promise<ReadModel> {
    const shapes = await readShapes(db, projection, schema);
    return new ReadModel(
      projection,
      schema,
      shapes.map((shape) => ({ shape, writer: new TableWriter(shape) })),
    );
  }

  /** Runs the handlers. Throws `HandlerFailed` with the event at which one threw, or that one cannot be given. */
  gather(events: readonly ProjectedEvent[]): Gathered {
    const tables = this.tables.map(({ shape, writer }) => ({ changes: new TableChanges(shape), writer }));
    const byName = Object.fromEntries(tables.map(({ changes }) => [changes.shape.name, changes]));
    const { on } = this.projection;
    for (const event of events) {
      const handler = Object.hasOwn(on, event.type) ? on[event.type] : undefined;
      if (!handler) continue;
      if (event.unreadable) throw new HandlerFailed(event, event.unreadable);
      for (const { changes } of tables) changes.position = event.position;
      try {
        handler(event, byName);
      } catch (error) {
        throw new HandlerFailed(event, error);
      }
    }
    return new Gathered(
      tables.filter(({ changes }) => changes.changes.length > 0),
      events.filter(isErasure).flatMap(({ data }) => this.#erase(data.accountId)),
    );
  }

  /** What blanks the rows of a person, whichever event of the batch wrote them: none that come later tell anything. */
  #erase(accountId: number): Statement[] {
    const { erases = [] } = this.projection;
    return erases.map(({ table, set, where }) => {
      const text = `update "${this.schema}"."${table}" set ${set} where ${where}`;
      return { name: nameOf(text), text, values: [accountId] };
    });
  }
}

/** What a batch asks of a read model. */
export class Gathered {
  constructor(
    private readonly tables: readonly { readonly changes: TableChanges; readonly writer: TableWriter }[],
    private readonly erasures: readonly Statement[],
  ) {}

  get isEmpty(): boolean {
    return this.tables.length === 0 && this.erasures.length === 0;
  }

  get needsRows(): boolean {
    return this.tables.some(({ changes }) => changes.unread.length > 0);
  }

  /** The statements to send; the rows that changes build upon are read through `load`, all at once. */
  async writes(load: (statement: Statement) => Promise<LoadedRow[]>): Promise<Statement[]> {
    const loaded = await Promise.all(
      this.tables.map(async ({ changes, writer }) =>
        changes.unread.length > 0 ? load(writer.load(changes.unread)) : [],
      ),
    );
    return this.#statements((index) => loaded[index] ?? []);
  }

  /** The statements of changes that build upon no row. */
  writesAtOnce(): Statement[] {
    return this.#statements(() => []);
  }

  #statements(loadedOf: (index: number) => readonly LoadedRow[]): Statement[] {
    const writes = this.tables.flatMap(({ changes, writer }, index) =>
      writer.writes(changes, byKey(changes.shape, loadedOf(index))),
    );
    return [...writes, ...this.erasures];
  }
}

type PersonErased = ProjectedEvent<Extract<AccountEvent, { type: 'PersonErased' }>>;

const isErasure = (event: ProjectedEvent): event is PersonErased => event.type === 'PersonErased';

/** A row as `TableWriter.load` reads it. */
export interface LoadedRow {
  readonly cells: string;
}

function byKey(shape: TableShape, rows: readonly LoadedRow[]): Map<string, Cells> {
  return new Map(
    rows.map((row) => {
      const cells = JSON.parse(row.cells) as Cells;
      return [keyText(shape.key.map((place) => cells[place] ?? '')), cells];
    }),
  );
}
