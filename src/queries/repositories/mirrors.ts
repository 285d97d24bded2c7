import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';

/** A mirror whose time has come. */
export interface DueMirror {
  readonly repositoryId: number;
  readonly ownerId: number;
  /** Where it was migrated from. */
  readonly url: string;
}

/** Three hundred years: events of old may tell of intervals after which PostgreSQL knows no time. */
const LONGEST_SECONDS = 10_000_000_000;

/**
 * The mirrors whose interval has passed since they were last tried; also those that were tried an hour from now, by a clock
 * that was ahead. First one of each owner, the one that waits longest, then the second of each, and so on: who has many
 * leaves room for those of others.
 */
export const listDueMirrors = (db: Queryable, now: Date, limit: number): Promise<DueMirror[]> =>
  db.rows<DueMirror>(sql`
    select id as "repositoryId", owner_id as "ownerId", original_url as url from repositories
    where mirror is not null and (mirror ->> 'intervalSeconds')::int8 > 0
      and (pulled_at + least((mirror ->> 'intervalSeconds')::int8, ${LONGEST_SECONDS}) * interval '1 second' <= ${now}
        or pulled_at > ${now}::timestamptz + interval '1 hour')
    order by row_number() over (partition by owner_id order by pulled_at, id), pulled_at, id limit ${limit}`);
