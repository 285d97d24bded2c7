import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { isThere } from '../count.js';

const PAGE = 1_000;

/** Yields the ids of all existing repositories in ascending order, reading page by page. */
export async function* repositoryIds(db: Queryable): AsyncGenerator<number> {
  for (let after = 0; ;) {
    const rows = await db.rows<{ id: number }>(sql`
      select id from repositories where id > ${after} order by id limit ${PAGE}`);
    for (const { id } of rows) yield id;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Tells whether the read model has the repository, regardless of the viewer. It may be behind the log. */
export const repositoryExists = (db: Queryable, id: number): Promise<boolean> =>
  isThere(db, fragment`from repositories where id = ${id}`);
