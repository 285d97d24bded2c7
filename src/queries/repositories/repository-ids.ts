import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';

/** Of all repositories that exist. */
export async function listRepositoryIds(db: Queryable): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`select id from repositories order by id`);
  return rows.map(({ id }) => id);
}
