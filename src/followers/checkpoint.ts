import type { Queryable } from '../database/queryable.js';
import { sql, type Fragment } from '../database/sql.js';
import type { Position } from '../event-store/event-store.js';

/** How far the log has been followed, and when that event was recorded. */
export interface Checkpoint {
  readonly position: Position;
  readonly recordedAt: Date;
}

/** Another process has moved the checkpoint: what this one was about to write is written already. */
class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

const FOLLOWED_BY_ANOTHER = 'another process follows the log';

/** Reads the only row of a table of checkpoints. */
export async function readCheckpoint(db: Queryable, table: Fragment): Promise<Checkpoint> {
  const [row] = await db.rows<{ position: string; recordedAt: Date }>(sql`
    select position::text, recorded_at as "recordedAt" from ${table}`);
  if (!row) throw new Error('a checkpoint is lost: restore its row, or every event is handled again');
  return { ...row, position: BigInt(row.position) };
}

/**
 * Keeps a checkpoint from being moved until the transaction ends. Rejects with `CheckpointMoved` where it is not at
 * `from`.
 */
export async function holdCheckpoint(connection: Queryable, table: Fragment, from: Position): Promise<void> {
  const rows = await connection.rows(sql`
    select from ${table} where position = ${String(from)}::int8 for update`);
  if (rows.length === 0) throw new CheckpointMoved(FOLLOWED_BY_ANOTHER);
}

/** Moves a checkpoint, inside a transaction or by itself. Rejects with `CheckpointMoved` where it is not at `from`. */
export async function moveCheckpoint(
  db: Queryable,
  table: Fragment,
  from: Position,
  to: Checkpoint,
): Promise<void> {
  const rows = await db.rows(sql`
    update ${table} set position = ${String(to.position)}::int8, recorded_at = ${to.recordedAt}
    where position = ${String(from)}::int8 returning 1`);
  if (rows.length === 0) throw new CheckpointMoved(FOLLOWED_BY_ANOTHER);
}
