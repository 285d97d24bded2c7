import { LRUCache } from 'lru-cache';
import type { Statement } from '../../src/database/sql.js';
import { nameOf } from '../../src/database/sql.js';
import { STILL } from '../../src/database/still.js';
import { arrayLiteral, isArray, keyText, type Cell, type Cells, type Column } from './cells.js';
import type { TableChanges } from './changes.js';
import { foldCurrent, type Edit, type EditedRow } from './fold-current.js';
import { foldHistory } from './fold-history.js';
import type { KeyPart, RowKey } from './row-key.js';
import { BLOCK, SetChanges } from './set-changes.js';
import type { TableShape } from './table-shape.js';

const MAX_TEXTS = 100;
/** The bits of a set: the parameter that carries them as text, and their conversion to the column's type. */
const MASK: Column = { name: 'members', type: 'text' };
const MEMBERS = `g.members::bit(${BLOCK})`;

/** Builds the statements of one table. Each takes any number of rows, as one array per column. */
export class TableWriter {
  readonly #table: string;
  readonly #key: readonly Column[];
  /** The recently used statements' texts. Their number is bounded because each combination of edited columns has its own. */
  readonly #texts = new LRUCache<string, { name: string; text: string }>({ max: MAX_TEXTS });

  constructor(readonly shape: TableShape) {
    this.#table = `${quoted(shape.schema)}.${quoted(shape.name)}`;
    this.#key = shape.key.flatMap((place) => shape.columns[place] ?? []);
  }

  /** Returns the statement that reads the rows with these keys, every column as text. `writes` needs them by key. */
  load(keys: readonly RowKey[]): Statement {
    const columns = this.shape.columns.map(({ name }) => `t.${quoted(name)}::text`);
    return this.#statement(
      'load',
      () => `select ${columns.join(', ')}
             from ${this.#table} t, ${given(this.#key)} where ${matches(this.#key)} ${this.#whereOpen()}`,
      cellsOf(keys, this.#key.length),
    );
  }

  /** Returns the statements that apply the changes to the table, to be sent in this order. */
  writes(changes: TableChanges | SetChanges, loaded: ReadonlyMap<string, Cells>): Statement[] {
    if (changes instanceof SetChanges) return this.#sets(changes);
    return this.shape.history ? this.#history(changes, loaded) : this.#current(changes);
  }

  #current(changes: TableChanges): Statement[] {
    const { removedRanges, removedKeys, edited, rows } = foldCurrent(changes);
    const statements = this.#deleteRanges(removedRanges);
    if (removedKeys.length > 0) statements.push(this.#delete(this.#key, removedKeys));
    statements.push(...this.#edits(edited));
    if (rows.length > 0) statements.push(this.#upsert(rows));
    return statements;
  }

  #sets({ removedRanges, included, excluded }: SetChanges): Statement[] {
    const statements = this.#deleteRanges(removedRanges);
    if (included.length > 0) statements.push(this.#include(included));
    if (excluded.length > 0) statements.push(this.#exclude(excluded));
    return statements;
  }

  #history(changes: TableChanges, loaded: ReadonlyMap<string, Cells>): Statement[] {
    const { closedKeys, closedRanges, versions } = foldHistory(changes, loaded);
    const statements: Statement[] = [];
    if (closedKeys.length > 0) {
      statements.push(
        this.#close(
          this.#key,
          closedKeys.map(({ key, at }) => [...key.cells, String(at)]),
        ),
      );
    }
    for (const run of runs(closedRanges, ({ part }) => part)) {
      const first = new Map(run.toReversed().map(({ part, at }) => [keyText(part.cells), { part, at }]));
      const cells = Array.from(first.values(), ({ part, at }) => [...part.cells, String(at)]);
      statements.push(this.#close(this.#columnsOf(run[0]?.part), cells));
    }
    if (versions.length > 0) {
      statements.push(
        this.#insert(versions.map(({ cells, from, until }) => [...cells, String(from), String(until)])),
      );
    }
    return statements;
  }

  #deleteRanges(ranges: readonly KeyPart[]): Statement[] {
    return runs(ranges, (part) => part).map((parts) => this.#delete(this.#columnsOf(parts[0]), parts));
  }

  #delete(columns: readonly Column[], keys: readonly (RowKey | KeyPart)[]): Statement {
    return this.#statement(
      `delete ${names(columns)}`,
      () => `delete from ${this.#table} t using ${given(columns)} where ${matches(columns)}`,
      cellsOf(keys, columns.length),
    );
  }

  #close(columns: readonly Column[], rows: readonly Cells[]): Statement {
    return this.#statement(
      `close ${names(columns)}`,
      () => `update ${this.#table} t set valid_until = g.closed_at
             from ${given([...columns, { name: 'closed_at', type: 'bigint' }])}
             where ${matches(columns)} ${this.#whereOpen()}`,
      transposed(rows, columns.length + 1),
    );
  }

  /** Returns one statement for each group of rows in which the same columns change in the same way. */
  #edits(edited: readonly EditedRow[]): Statement[] {
    const alike = new Map<string, EditedRow[]>();
    for (const row of edited) {
      const use = Array.from(row.edits, ([place, edit]) => ('add' in edit ? `${place}+` : place))
        .sort()
        .join();
      const known = alike.get(use);
      if (known) known.push(row);
      else alike.set(use, [row]);
    }
    return Array.from(alike, ([use, rows]) => this.#edit(use, rows));
  }

  #edit(use: string, rows: readonly EditedRow[]): Statement {
    const places = use.split(',').map((part) => Number.parseInt(part, 10));
    const columns = places.flatMap((place) => this.shape.columns[place] ?? []);
    return this.#statement(
      `edit ${use}`,
      () => {
        const adds = use.split(',').map((part) => part.endsWith('+'));
        const changes = columns.map((column, index) => {
          const name = quoted(column.name);
          return `${name} = ${adds[index] ? `t.${name} + g.${name}` : read(column)}`;
        });
        return `update ${this.#table} t set ${changes.join(', ')}
                from ${given([...this.#key, ...columns])} where ${matches(this.#key)}`;
      },
      transposed(
        rows.map(({ key, edits }) => [...key.cells, ...places.map((place) => cellOf(edits.get(place)))]),
        this.#key.length + columns.length,
      ),
    );
  }

  #include(rows: readonly Cells[]): Statement {
    return this.#statement(
      'include',
      () => `insert into ${this.#table} as t (${names([...this.#key, MASK])})
             select ${[...this.#key.map(read), MEMBERS].join(', ')} from ${given([...this.#key, MASK])}
             on conflict (${names(this.#key)}) do update set members = t.members | excluded.members`,
      transposed(rows, this.#key.length + 1),
    );
  }

  #exclude(rows: readonly Cells[]): Statement {
    return this.#statement(
      'exclude',
      () => `update ${this.#table} t set members = t.members & ~${MEMBERS}
             from ${given([...this.#key, MASK])} where ${matches(this.#key)}`,
      transposed(rows, this.#key.length + 1),
    );
  }

  #upsert(rows: readonly Cells[]): Statement {
    const { columns } = this.shape;
    return this.#statement(
      'upsert',
      () => {
        const others = columns
          .filter((column) => !this.#key.includes(column))
          .map(({ name }) => quoted(name));
        const update = others.map((name) => `${name} = excluded.${name}`).join(', ');
        const onConflict = others.length > 0 ? `do update set ${update}` : 'do nothing';
        return `${this.#insertText(columns)} on conflict (${names(this.#key)}) ${onConflict}`;
      },
      transposed(rows, columns.length),
    );
  }

  #insert(rows: readonly Cells[]): Statement {
    const columns = [
      ...this.shape.columns,
      { name: 'valid_from', type: 'bigint' },
      { name: 'valid_until', type: 'bigint' },
    ];
    return this.#statement('insert', () => this.#insertText(columns), transposed(rows, columns.length));
  }

  #insertText(columns: readonly Column[]): string {
    return `insert into ${this.#table} (${names(columns)}) select ${columns.map(read).join(', ')} from ${given(columns)}`;
  }

  #statement(use: string, text: () => string, values: readonly unknown[]): Statement {
    let known = this.#texts.get(use);
    if (!known) {
      const built = text();
      known = { name: nameOf(built), text: built };
      this.#texts.set(use, known);
    }
    return { values, ...known };
  }

  #columnsOf(part: KeyPart | undefined): Column[] {
    return (part?.places ?? []).flatMap((place) => this.#key[place] ?? []);
  }

  #whereOpen(): string {
    return this.shape.history ? `and t.valid_until = ${STILL}` : '';
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const names = (columns: readonly Column[]): string => columns.map(({ name }) => quoted(name)).join(', ');

/** Returns SQL for the parameters as a table `g`. Array columns are text, because `unnest` flattens arrays of arrays. */
const given = (columns: readonly Column[]): string =>
  `unnest(${columns.map((column, index) => `$${index + 1}::${isArray(column) ? 'text' : column.type}[]`).join(', ')})
   as g(${names(columns)})`;

const read = (column: Column): string =>
  isArray(column) ? `g.${quoted(column.name)}::${column.type}` : `g.${quoted(column.name)}`;

const matches = (columns: readonly Column[]): string =>
  columns.map(({ name }) => `t.${quoted(name)} = g.${quoted(name)}`).join(' and ');

const cellOf = (edit: Edit | undefined): Cell => {
  if (!edit) return null;
  return 'add' in edit ? String(edit.add) : edit.set;
};

const cellsOf = (keys: readonly (RowKey | KeyPart)[], width: number): string[] =>
  transposed(
    keys.map(({ cells }) => cells),
    width,
  );

/** Transposes rows to columns, each as an array literal. */
function transposed(rows: readonly Cells[], width: number): string[] {
  return Array.from({ length: width }, (_, place) =>
    arrayLiteral(rows.map((row): Cell => row[place] ?? null)),
  );
}

/** Splits items into runs of consecutive ones whose key parts have the same columns. */
function runs<T>(items: readonly T[], partOf: (item: T) => KeyPart): T[][] {
  const result: T[][] = [];
  let columns: string | undefined;
  for (const item of items) {
    const next = partOf(item).places.join();
    if (next === columns) result.at(-1)?.push(item);
    else result.push([item]);
    columns = next;
  }
  return result;
}
