import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import type { Database } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/queryable.js';
import { sql } from '../../src/database/sql.js';
import { MIGRATIONS, readMigrations } from '../../src/migrate/migration-files.js';
import { schemaOf, type Projection } from '../projection.js';
import { CREATE_CHECKPOINT } from './checkpoint.js';

/** Serialises processes that create or drop schemas of projections. */
const { schemas: SCHEMAS_LOCK } = ADVISORY_LOCKS;

/** The schema that `ensureSchemas` found or created for a projection. */
export interface EnsuredSchema {
  readonly projection: Projection;
  readonly schema: string;
  /** Whether the schema was missing; its rows have yet to be built, from the first event. */
  readonly created: boolean;
  /** The schemas of other versions of the projection. */
  readonly otherVersions: readonly string[];
}

/**
 * Creates the missing schemas, in one transaction: tables from `migrations/<projection>/*.sql`, and a checkpoint before the
 * first event. Schemas of other versions stay, because an API process of that version may still read them.
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

/**
 * Drops the schemas of other versions of these projections, and those that rebuilds of any version kept or, killed, left
 * (see `rebuild/schemas.ts`); returns their names. No rebuild may be running.
 */
export function dropOld(database: Database, projections: readonly Projection[]): Promise<string[]> {
  return database.transaction(async (connection) => {
    await connection.rows(sql`select pg_advisory_xact_lock(${SCHEMAS_LOCK})`);
    const dropped: string[] = [];
    for (const projection of projections) {
      const kept = await listSchemas(connection, `^${stem(projection)}_v[0-9]+(__[a-z]+)?$`);
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
