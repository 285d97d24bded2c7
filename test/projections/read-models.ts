import { ensureSchemas } from '../../projections/engine/schemas.js';
import { schemaOf, type Projection } from '../../projections/projection.js';
import type { TestApi } from '../support/api.js';

export type Rows = Readonly<Record<string, readonly object[]>>;

/** All rows of these read models, by table, once they show everything. */
export async function rowsOf(api: TestApi, built: readonly Projection[]): Promise<Rows> {
  const tables = built.flatMap((projection) =>
    Object.keys(projection.tables).map((table) => `${schemaOf(projection)}.${table}`),
  );
  const read = async (table: string) => {
    const rows = await api.connections.db.rows<{ row: object }>(
      `select to_jsonb(t) as row from ${table} t order by 1`,
    );
    return [table, rows.map(({ row }) => row)] as const;
  };
  await api.shown();
  return Object.fromEntries(await Promise.all(tables.map(read)));
}

/** Drops these read models and waits until they are built anew from the log. */
export async function buildAnew(api: TestApi, built: readonly Projection[]): Promise<void> {
  await api.pauseProjector();
  const { db } = api.connections;
  for (const projection of built) await db.rows(`drop schema ${schemaOf(projection)} cascade`);
  await ensureSchemas(db, built);
  api.resumeProjector();
  await api.restart(); // it reads the checkpoints again
  await api.shown();
}
