import type { Queryable } from '../database/database.js';
import { fragment, sql, type Fragment } from '../database/sql.js';

/** How many rows there are `from …`: the rest of a statement. */
export async function count(db: Queryable, from: Fragment): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`select count(*) as count ${from}`);
  return row?.count ?? 0;
}

/** Whether there is any row `from …`: the rest of a statement. */
export const isThere = async (db: Queryable, from: Fragment): Promise<boolean> =>
  (await db.rows(sql`select ${from}`)).length > 0;

/** How many were found in all: as the rows of the page tell, and counted where it has none. */
export const totalOf = async (
  db: Queryable,
  page: Promise<readonly { readonly total: number }[]>,
  found: Fragment,
): Promise<number> => (await page)[0]?.total ?? count(db, fragment`from (${found}) found`);
