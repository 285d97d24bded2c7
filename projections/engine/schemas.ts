import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import type { Database, Queryable } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { MIGRATIONS, readMigrations } from '../../src/migrate/migration-files.js';
import { schemaOf, type Projection } from '../projection.js';
import { CREATE_CHECKPOINT } from './checkpoint.js';

/** Everybody who makes or drops schemas of projections takes turns. */
const { schemas: SCHEMAS_LOCK } = ADVISORY_LOCKS;

/** What `ensureSchemas` found or made for one projection. */
export interface EnsuredSchema {
  readonly projection: Projection;
  readonly schema: string;
  /** It was not there: its rows are yet to be built, from the first event. */
  readonly created: boolean;
  /** Schemas that other versions of the projection filled. */
  readonly otherVersions: readonly string[];
}

/**
 * Creates the schemas that are missing, each whole or not at all: tables from `migrations/<projection>/*.sql`, and a
 * checkpoint before the first event. Those of other versions are left as they are, for the api that still reads them.
 */
export function ensureSchemas(
  database: Database,
  projections: readonly Projection[],
  migrations: URL = MIGRATIONS,
): Promise<EnsuredSchema[]> {
  return database.transaction(async (connection) => {
    await connection.rows(sql`select pg_advisory_xact_lock(${SCHEMAS_LOCK})`);
    const ensured: EnsuredSchema[] = [];
    for (const projection of projections) {
      const schema = schemaOf(projection);
      const versions = await listSchemas(connection, `^${stem(projection)}_v[0-9]+$`);
      const created = !versions.includes(schema);
      if (created) await createSchema(connection, projection, schema, migrations);
      ensured.push({
        projection,
        schema,
        created,
        otherVersions: versions.filter((name) => name !== schema),
      });
    }
    return ensured;
  });
}

/** Creates one schema, in the caller's transaction. */
export async function createSchema(
  connection: Queryable,
  projection: Projection,
  schema: string,
  migrations: URL = MIGRATIONS,
): Promise<void> {
  await connection.rows(`create schema "${schema}"`);
  await connection.rows(`set local search_path to "${schema}"`);
  for (const { text } of await readMigrations(projection.name, migrations)) await connection.rows(text);
  await connection.rows(CREATE_CHECKPOINT);
  await connection.rows('set local search_path to default');
}

/** Drops what other versions of these projections filled and what rebuilds put aside; answers with the names. */
export function dropOld(database: Database, projections: readonly Projection[]): Promise<string[]> {
  return database.transaction(async (connection) => {
    await connection.rows(sql`select pg_advisory_xact_lock(${SCHEMAS_LOCK})`);
    const dropped: string[] = [];
    for (const projection of projections) {
      const kept = await listSchemas(connection, `^${stem(projection)}_v[0-9]+(__old)?$`);
      for (const schema of kept.filter((name) => name !== schemaOf(projection))) {
        await connection.rows(`drop schema "${schema}" cascade`);
        await connection.rows(sql`delete from projector.status where schema = ${schema}`);
        dropped.push(schema);
      }
    }
    return dropped;
  });
}

const stem = ({ name }: Projection): string => name.replaceAll('-', '_');

async function listSchemas(connection: Queryable, pattern: string): Promise<string[]> {
  const rows = await connection.rows<{ schema: string }>(
    sql`select nspname::text as schema from pg_namespace where nspname ~ ${pattern} order by 1`,
  );
  return rows.map(({ schema }) => schema);
}
