import type { Queryable } from '../../src/database/queryable.js';
import { sql } from '../../src/database/sql.js';

/** The text that is up; empty where there is none. */
export async function readNotice(db: Queryable): Promise<string> {
  const [row] = await db.rows<{ text: string }>(sql`select text from notices where id = 'main'`);
  return row?.text ?? '';
}
