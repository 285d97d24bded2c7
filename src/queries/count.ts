import type { Queryable } from '../database/database.js';
import { fragment, sql, type Fragment } from '../database/sql.js';

/** Counts rows. `from` is the statement from that word on. */
export async function count(db: Queryable, from: Fragment): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`select count(*) as count ${from}`);
  return row?.count ?? 0;
}

/** Tells whether there are any rows. `from` is the statement from that word on. */
export const isThere = async (db: Queryable, from: Fragment): Promise<boolean> =>
  (await db.rows(sql`select ${from}`)).length > 0;

/** Returns how many rows were found in all. Each row of the page tells; if the page is empty, they are counted. */
export const totalOf = async (
  db: Queryable,
  page: Promise<readonly { readonly total: number }[]>,
  found: Fragment,
): Promise<number> => (await page)[0]?.total ?? count(db, fragment`from (${found}) found`);
