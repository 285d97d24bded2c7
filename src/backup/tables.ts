import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Readable } from 'node:stream';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { queryableOf } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { Manifest } from './manifest.js';

/** A table as the manifest lists it: its stored columns in order, and the file of the back-up that has its rows. */
export type KeptTable = Manifest['tables'][number];

const { escapeIdentifier } = pg;

/** The tables of these schemas with the columns that are stored, in one order for good. */
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

/** The rows of a table as PostgreSQL's COPY has them, compressed. Throws in the stream where the connection is lost. */
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
 * Puts the rows of a back-up in place of what a fresh table has, past the triggers that guard it. Rejects where a column
 * of the back-up is gone or one without a default has come.
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

/** New rows go on behind those that were put in. */
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
