import type { Queryable } from '../database/queryable.js';
import { sql } from '../database/sql.js';
import type { Position } from '../event-store/event-store.js';

const PAGE = 1_000;
const PREFIX = 'repository-';
/** Sorts directly after all names that begin with the prefix. */
const END = 'repository.';

/** Yields the ids of all repositories in the log, deleted ones included, page by page. */
export async function* repositoriesInLog(db: Queryable): AsyncGenerator<number[]> {
  for (let after = PREFIX; ;) {
    const rows = await db.rows<{ stream: string }>(sql`
      select stream from events.log
      where revision = 0 and stream > ${after} and stream < ${END} order by stream limit ${PAGE}`);
    if (rows.length === 0) return;
    yield rows.map(idOf);
    after = rows.at(-1)?.stream ?? END;
  }
}

/** Returns the ids of the repositories that have events after the first position, up to and including the second. */
export async function repositoriesChanged(
  db: Queryable,
  after: Position,
  until: Position,
): Promise<number[]> {
  const rows = await db.rows<{ stream: string }>(sql`
    select distinct stream from events.log
    where position > ${after} and position <= ${until} and stream > ${PREFIX} and stream < ${END}`);
  return rows.map(idOf);
}

const idOf = ({ stream }: { stream: string }) => Number(stream.slice(PREFIX.length));
