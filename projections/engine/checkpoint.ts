import type { Queryable } from '../../src/database/queryable.js';
import type { Position } from '../../src/event-store/event-store.js';

/** How far a read model has come: the position of the last event it has processed, and when that event was recorded. */
export interface Checkpoint {
  readonly position: Position;
  readonly recordedAt: Date;
}

/** Creates a schema's checkpoint, a table of one row, before the first event. It moves along when the schema is renamed. */
export const CREATE_CHECKPOINT = `
  create table checkpoint (position int8 not null, recorded_at timestamptz not null);
  insert into checkpoint values (-1, 'epoch')`;

/** Reads the checkpoints of these schemas in one snapshot. Rejects if one of them has no checkpoint table. */
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

/** Reads the checkpoint of one schema; undefined if its checkpoint table is empty. */
export const readCheckpoint = async (db: Queryable, schema: string): Promise<Checkpoint | undefined> =>
  (await readCheckpoints(db, [schema])).get(schema);

interface CheckpointRow {
  readonly schema: string;
  readonly position: number | bigint;
  readonly recorded_at: Date;
}
