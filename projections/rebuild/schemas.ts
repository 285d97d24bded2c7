import type { Queryable } from '../../src/database/queryable.js';
import { sql } from '../../src/database/sql.js';
import { schemaOf, type Projection } from '../projection.js';

/** Returns the name of the schema in which a projection is rebuilt beside the live one. */
export const nextSchemaOf = (projection: Projection): string => `${schemaOf(projection)}__next`;

/** Returns the name of the schema that was live before the last swap, kept for `--rollback`. */
export const oldSchemaOf = (projection: Projection): string => `${schemaOf(projection)}__old`;

/** Drops a schema with all its tables; does nothing if there is none. */
export const dropSchema = async (db: Queryable, schema: string): Promise<void> => {
  await db.rows(`drop schema if exists "${schema}" cascade`);
};

/** Tells whether the database has a schema of that name. */
export async function schemaExists(db: Queryable, schema: string): Promise<boolean> {
  const rows = await db.rows(sql`select from pg_namespace where nspname = ${schema}`);
  return rows.length > 0;
}
