import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';

/** A repository that waits for somebody's word to become that one's. */
export interface PendingTransfer {
  readonly repository_id: number;
  readonly requester_id: number;
  readonly recipient_id: number;
  readonly team_ids: readonly number[];
}

/** The transfer of a repository that is pending; undefined where none is. */
export async function findPendingTransfer(
  db: Queryable,
  repositoryId: number,
): Promise<PendingTransfer | undefined> {
  // As JSON: of an array of int8 the elements would be texts.
  const [row] = await db.rows<PendingTransfer>(sql`
    select repository_id, requester_id, recipient_id, to_json(team_ids) as team_ids
    from repository_transfers where repository_id = ${repositoryId}`);
  return row;
}

/** The repositories that are offered to an account. */
export async function listOfferedTo(db: Queryable, recipientId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select repository_id as id from repository_transfers where recipient_id = ${recipientId} order by 1`);
  return rows.map(({ id }) => id);
}
