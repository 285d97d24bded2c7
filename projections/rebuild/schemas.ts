import type { Queryable } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { schemaOf, type Projection } from '../projection.js';

/** Where a projection is built beside the live one. */
export const nextSchemaOf = (projection: Projection): string => `${schemaOf(projection)}__next`;

/** What was live before the last swap, kept for `--rollback`. */
export const oldSchemaOf = (projection: Projection): string => `${schemaOf(projection)}__old`;

/** Drops a schema with all its tables; nothing where there is none. In the caller's transaction, if `db` is one. */
export const dropSchema = async (db: Queryable, schema: string): Promise<void> => {
  await db.rows(`drop schema if exists "${schema}" cascade`);
};

/** Whether the database has a schema of that name. */
export async function schemaExists(db: Queryable, schema: string): Promise<boolean> {
  const rows = await db.rows(sql`select from pg_namespace where nspname = ${schema}`);
  return rows.length > 0;
}
