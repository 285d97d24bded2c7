import type { Queryable } from '../../src/database/queryable.js';
import { sql } from '../../src/database/sql.js';
import type { Projection } from '../projection.js';
import { KEY_TYPES, type Column } from './cells.js';

/** A table: its columns from PostgreSQL's catalogue, its key and kind from the projection's declaration. */
export interface TableShape {
  readonly schema: string;
  readonly name: string;
  /** The columns that handlers fill, so neither generated ones nor the validity of a history row. */
  readonly columns: readonly Column[];
  /** The indexes of the key's columns in `columns`. */
  readonly key: readonly number[];
  readonly history: boolean;
  readonly sets: boolean;
}

/**
 * Reads the columns of a projection's tables from the catalogue. Throws if the migrations do not provide what the
 * declaration needs: a unique key of the declared columns (and `valid_until` in a history table), of types whose values
 * are equal exactly when their texts are.
 */
export async function readShapes(
  db: Queryable,
  projection: Projection,
  schema: string,
): Promise<TableShape[]> {
  const catalogue = await db.rows<CatalogueRow>(sql`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type,
           a.attgenerated <> '' or a.attidentity = 'a' as generated
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`);
  const unique = await db.rows<{ table: string; columns: string[] }>(sql`
    select c.relname as "table",
           array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any(i.indkey)) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and i.indisunique and i.indimmediate and i.indpred is null and i.indexprs is null`);

  return Object.entries(projection.tables).map(([name, { key, history = false, sets = false }]) => {
    const fail = (problem: string) =>
      new Error(`projection ${projection.name}, table ${schema}.${name}: ${problem}`);
    const rows = catalogue.filter(({ table }) => table === name);
    if (rows.length === 0) throw fail('its migrations do not create it');
    const validity = history ? ['valid_from', 'valid_until'] : [];
    const needed = validity.map((column) => [column, 'bigint']);
    if (sets) needed.push(['block', 'bigint'], ['members', 'bit']);
    for (const [column, type] of needed) {
      if (!rows.some((row) => row.name === column && row.type === type))
        throw fail(`needs ${column} ${type}`);
    }
    const identity = [...key, ...validity.slice(1)];
    if (!unique.some(({ table, columns }) => table === name && sameMembers(columns, identity))) {
      throw fail(`needs a primary key (${identity.join(', ')})`);
    }
    const columns = rows.filter((row) => !row.generated && !validity.includes(row.name));
    const positions = key.map((part) => columns.findIndex((column) => column.name === part));
    for (const position of positions) {
      const type = columns[position]?.type ?? 'a generated column';
      if (!KEY_TYPES.includes(type)) throw fail(`${type} cannot be part of a key`);
    }
    return { schema, name, columns, key: positions, history, sets };
  });
}

interface CatalogueRow extends Column {
  readonly table: string;
  readonly generated: boolean;
}

const sameMembers = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((item) => right.includes(item));
