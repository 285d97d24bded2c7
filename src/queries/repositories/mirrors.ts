import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';

/** A mirror that is due to be pulled. */
export interface DueMirror {
  readonly repositoryId: number;
  readonly ownerId: number;
  /** The address that it was migrated from. */
  readonly url: string;
}

/** About three hundred years. Old events may hold longer intervals, which would exceed the range of PostgreSQL's times. */
const LONGEST_SECONDS = 10_000_000_000;

/**
 * Lists the mirrors whose interval has passed since the last attempt, and those whose last attempt is more than an hour
 * in the future, because a clock was ahead. Takes the longest waiting one of each owner first, then the second of each,
 * and so on, so that an owner of many mirrors does not delay those of others.
 */
export const listDueMirrors = (db: Queryable, now: Date, limit: number): Promise<DueMirror[]> =>
  db.rows<DueMirror>(sql`
    select id as "repositoryId", owner_id as "ownerId", original_url as url from repositories
    where mirror is not null and (mirror ->> 'intervalSeconds')::int8 > 0
      and (pulled_at + least((mirror ->> 'intervalSeconds')::int8, ${LONGEST_SECONDS}) * interval '1 second' <= ${now}
        or pulled_at > ${now}::timestamptz + interval '1 hour')
    order by row_number() over (partition by owner_id order by pulled_at, id), pulled_at, id limit ${limit}`);
