import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';

/** A transfer of a repository that waits for the recipient to accept or reject it. */
export interface PendingTransfer {
  readonly repository_id: number;
  readonly requester_id: number;
  readonly recipient_id: number;
  readonly team_ids: readonly number[];
}

/** Finds the pending transfer of a repository; undefined if there is none. */
export async function findPendingTransfer(
  db: Queryable,
  repositoryId: number,
): Promise<PendingTransfer | undefined> {
  // As JSON, because the elements of an int8 array would be returned as strings.
  const [row] = await db.rows<PendingTransfer>(sql`
    select repository_id, requester_id, recipient_id, to_json(team_ids) as team_ids
    from repository_transfers where repository_id = ${repositoryId}`);
  return row;
}

/** Lists the ids of the repositories that are offered to an account. */
export async function listOfferedTo(db: Queryable, recipientId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select repository_id as id from repository_transfers where recipient_id = ${recipientId} order by 1`);
  return rows.map(({ id }) => id);
}
