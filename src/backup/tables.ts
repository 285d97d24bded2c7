import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Readable } from 'node:stream';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { queryableOf } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import type { Manifest } from './manifest.js';

/** A table in the manifest: its stored columns in order, and the file of the back-up that holds its rows. */
export type KeptTable = Manifest['tables'][number];

const { escapeIdentifier } = pg;

/** Lists the tables of these schemas with their stored columns, always in the same order. */
export function listTables(
  client: pg.ClientBase,
  schemas: readonly string[],
): Promise<Pick<KeptTable, 'schema' | 'name' | 'columns'>[]> {
  return queryableOf(client).rows(sql`
    select n.nspname::text as schema, c.relname::text as name,
      array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and n.nspname = any(${schemas}::text[])
    group by 1, 2 order by 1, 2`);
}

/** Orders tables of a back-up so that each comes after those that its rows refer to. There are no circular references. */
export async function inOrderOfReference(
  client: pg.ClientBase,
  tables: readonly KeptTable[],
): Promise<KeptTable[]> {
  const schemas = [...new Set(tables.map(({ schema }) => schema))];
  const rows = await queryableOf(client).rows<Pick<KeptTable, 'schema' | 'name'> & { depth: number }>(sql`
    with recursive referring as (
      select c.oid, 0 as depth
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname = any(${schemas}::text[])
      union
      select k.conrelid, r.depth + 1 from referring r join pg_constraint k on k.contype = 'f' and k.confrelid = r.oid
    )
    select n.nspname::text as schema, c.relname::text as name, max(r.depth) as depth
    from referring r join pg_class c using (oid) join pg_namespace n on n.oid = c.relnamespace
    group by 1, 2`);
  const depths = new Map(rows.map((row) => [nameOf(row), row.depth]));
  const depthOf = (table: KeptTable) => depths.get(nameOf(table)) ?? 0;
  return tables.toSorted((one, other) => depthOf(one) - depthOf(other));
}

/** Streams the rows of a table in PostgreSQL's COPY format, compressed. The stream fails if the connection is lost. */
export function rowsOf(client: pg.ClientBase, table: Pick<KeptTable, 'schema' | 'name' | 'columns'>) {
  const copied = client.query(to(`copy ${columnsOf(table)} to stdout`));
  return { compressed: compressed(copied), count: () => copied.rowCount };
}

function compressed(rows: Readable): Readable {
  const gzip = createGzip({ level: 6 });
  pipeline(rows, gzip).catch((error: unknown) => gzip.destroy(error as Error));
  return gzip;
}

/**
 * Replaces the rows of a fresh table by those of a back-up, with its guarding triggers disabled. Rejects if a column of
 * the back-up no longer exists, or if the table has gained a column without a default.
 */
export async function putRows(client: pg.ClientBase, table: KeptTable, path: string): Promise<void> {
  const name = nameOf(table);
  await client.query(`alter table ${name} disable trigger user; delete from ${name}`);
  await pipeline(
    createReadStream(path),
    createGunzip(),
    client.query(from(`copy ${columnsOf(table)} from stdin`)),
  );
  await client.query(`alter table ${name} enable trigger user`);
  await advanceSequences(client, table);
}

/** Advances the identity sequences of a table beyond the restored rows, so that new rows get new numbers. */
async function advanceSequences(client: pg.ClientBase, table: KeptTable): Promise<void> {
  const name = nameOf(table);
  const identities = await queryableOf(client).rows<{ column: string }>(sql`
    select attname::text as column from pg_attribute
    where attrelid = ${name}::regclass and attidentity <> '' and not attisdropped`);
  for (const { column } of identities) {
    const highest = `(select max(${escapeIdentifier(column)}) from ${name})`;
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), ${highest}) where ${highest} is not null`,
      [name, column],
    );
  }
}

const nameOf = ({ schema, name }: Pick<KeptTable, 'schema' | 'name'>) =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;

const columnsOf = (table: Pick<KeptTable, 'schema' | 'name' | 'columns'>) =>
  `${nameOf(table)} (${table.columns.map(escapeIdentifier).join(', ')})`;
