import type { Queryable } from '../../src/database/queryable.js';
import { sql } from '../../src/database/sql.js';
import type { Position } from '../../src/event-store/event-store.js';
import { CHECKPOINTS_CHANNEL, STATUS_CHANGED } from '../../src/read-your-writes/announcement.js';
import type { Failure } from './lane.js';

/** Records where a read model stopped, and notifies the API, which then no longer waits for it. */
export async function recordStopped(db: Queryable, { model, event, error }: Failure): Promise<void> {
  const reason = String(error).replaceAll('\0', ''); // errors may quote what they are about
  await db.rows(sql`
    insert into projector.status as s (schema, stream, revision, position, error)
    values (${model.schema}, ${event.stream}, ${event.revision}, ${String(event.position)}, ${reason})
    on conflict (schema) do update set stream = excluded.stream, revision = excluded.revision,
      position = excluded.position, error = excluded.error, stopped_at = now()`);
  await tellStatus(db);
}

/** Removes the status of read models that are past the event at which they stopped. */
export async function clearStopped(db: Queryable, schemas: readonly string[]): Promise<void> {
  await db.rows(sql`delete from projector.status where schema = any(${schemas})`);
  await tellStatus(db);
}

/** Returns the positions of the events at which read models stopped, by schema. */
export async function listStopped(db: Queryable): Promise<Map<string, Position>> {
  const rows = await db.rows<{ schema: string; position: number | bigint }>(
    sql`select schema, position from projector.status`,
  );
  return new Map(rows.map(({ schema, position }) => [schema, BigInt(position)]));
}

/** Notifies all listeners, which then read again which projections are stopped, and all checkpoints. */
export const tellStatus = (db: Queryable) =>
  db.rows(sql`select pg_notify(${CHECKPOINTS_CHANNEL}, ${STATUS_CHANGED})`);
