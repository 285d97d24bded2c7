import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import type { Position } from '../event-store/event-store.js';

/** The event that a projection could not take, and why. */
export interface Stopped {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly error: string;
  readonly stoppedAt: Date;
}

/** Reads the checkpoints of those schemas that exist, and which projections are stopped. */
export async function readProgress(
  db: Queryable,
  schemas: Readonly<Record<string, string>>,
): Promise<{ positions: Map<string, Position>; stopped: Map<string, Stopped> }> {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]));
  const existing = await db.rows<{ schema: string }>(
    sql`select schemaname as schema from pg_tables
        where tablename = 'checkpoint' and schemaname = any(${[...names.keys()]})`,
  );
  const selects = existing.map(
    ({ schema }) => `select '${schema}' as schema, position::text from "${schema}".checkpoint`,
  );
  const checkpoints =
    selects.length > 0
      ? await db.rows<{ schema: string; position: string }>(selects.join(' union all '))
      : [];
  const failures = await db.rows<StatusRow>(
    sql`select schema, stream, revision::int, position::text, error, stopped_at from projector.status
        where schema = any(${[...names.keys()]})`,
  );
  return {
    positions: new Map(
      checkpoints.map(({ schema, position }) => [names.get(schema) ?? schema, BigInt(position)]),
    ),
    stopped: new Map(
      failures.map(({ schema, stream, revision, position, error, stopped_at: stoppedAt }) => [
        names.get(schema) ?? schema,
        { stream, revision, position: BigInt(position), error, stoppedAt },
      ]),
    ),
  };
}

interface StatusRow {
  readonly schema: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly error: string;
  readonly stopped_at: Date;
}
