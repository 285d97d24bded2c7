import type { Queryable } from '../../src/database/database.js';
import type { Position } from '../../src/event-store/event-store.js';

/** How far a read model is: the last event it has seen, and when that was recorded. */
export interface Checkpoint {
  readonly position: Position;
  readonly recordedAt: Date;
}

/** The one row of a schema's checkpoint, before the first event. It moves along when the schema is renamed. */
export const CREATE_CHECKPOINT = `
  create table checkpoint (position int8 not null, recorded_at timestamptz not null);
  insert into checkpoint values (-1, 'epoch')`;

/** The checkpoints of these schemas, in one snapshot. */
export async function readCheckpoints(
  db: Queryable,
  schemas: readonly string[],
): Promise<Map<string, Checkpoint>> {
  if (schemas.length === 0) return new Map();
  const selects = schemas.map((schema) => `select '${schema}' as schema, c.* from "${schema}".checkpoint c`);
  const rows = await db.rows<CheckpointRow>(selects.join(' union all '));
  return new Map(
    rows.map(({ schema, position, recorded_at: recordedAt }) => [
      schema,
      { position: BigInt(position), recordedAt },
    ]),
  );
}

/** Where one schema stands; undefined where it has no checkpoint. */
export const readCheckpoint = async (db: Queryable, schema: string): Promise<Checkpoint | undefined> =>
  (await readCheckpoints(db, [schema])).get(schema);

interface CheckpointRow {
  readonly schema: string;
  readonly position: number | bigint;
  readonly recorded_at: Date;
}
