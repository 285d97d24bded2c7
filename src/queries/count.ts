import type { Queryable } from '../database/queryable.js';
import { fragment, sql, type Fragment } from '../database/sql.js';

/** Counts rows. `from` is the statement from that word on. */
export async function count(db: Queryable, from: Fragment): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`select count(*) as count ${from}`);
  return row?.count ?? 0;
}

/** Tells whether there are any rows. `from` is the statement from that word on. */
export const isThere = async (db: Queryable, from: Fragment): Promise<boolean> =>
  (await db.rows(sql`select ${from}`)).length > 0;

type Page = Promise<readonly { readonly total: number }[]>;

/** Returns how many rows were found in all. Each row of the page tells; `countAlone` is called if the page is empty. */
export const totalIn = async (page: Page, countAlone: () => Promise<number>): Promise<number> =>
  (await page)[0]?.total ?? countAlone();

/** As `totalIn`; if the page is empty, counts the rows of `found`. */
export const totalOf = (db: Queryable, page: Page, found: Fragment): Promise<number> =>
  totalIn(page, () => count(db, fragment`from (${found}) found`));
