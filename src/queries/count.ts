import type { Queryable } from '../database/database.js';
import { sql, type Fragment } from '../database/sql.js';

/** The number that a `select count(*) as count` gives. */
export async function count(rows: Promise<object[]>): Promise<number> {
  const [row] = (await rows) as { count: number }[];
  return row?.count ?? 0;
}

/** How many were found in all: as the rows of the page tell, and counted where it has none. */
export const totalOf = async (
  db: Queryable,
  page: Promise<readonly { readonly total: number }[]>,
  found: Fragment,
): Promise<number> =>
  (await page)[0]?.total ?? count(db.rows(sql`select count(*) as count from (${found}) found`));
