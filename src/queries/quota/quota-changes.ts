import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';

/** A change of quotas: who made it, and when. */
export interface QuotaChangeRow {
  readonly position: number | bigint;
  readonly event_id: string;
  readonly recorded_at: Date;
  readonly actor_id: number | null;
  /** The name at that time; null once the person was erased. */
  readonly actor_name: string | null;
}

/** Finds the changes that were recorded at these positions, by position. */
export async function findQuotaChanges(
  db: Queryable,
  positions: readonly bigint[],
): Promise<ReadonlyMap<bigint, QuotaChangeRow>> {
  const rows = await db.rows<QuotaChangeRow>(sql`
    select position, event_id, recorded_at, actor_id, actor_name from quota_changes
    where position = any(${positions}::int8[])`);
  return new Map(rows.map((row) => [BigInt(row.position), row]));
}
