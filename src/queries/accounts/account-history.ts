import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import { changeFields } from '../change-fields.js';
import type { Moment } from '../moment.js';
import type { PageRequest } from '../page.js';

/** Which changes are asked for; what is null does not narrow. */
export interface AccountHistoryFilter {
  /** The user or organization that was changed. */
  readonly subjectId: number | null;
  readonly actorId: number | null;
  /** Both inclusive, by the log's clock. */
  readonly since: Date | null;
  readonly until: Date | null;
  /** Changes after this position are left out, so that the pages of one listing do not shift. */
  readonly at: Moment;
}

/** The changes that match, newest first, as the JSON text of a list; each account under its name of that time. */
export async function listAccountHistory(
  db: Queryable,
  { subjectId, actorId, since, until, at }: AccountHistoryFilter,
  { limit, offset }: PageRequest,
): Promise<string> {
  const [row] = await db.rows<{ json: string }>(sql`
    select coalesce(json_agg(json_build_object(${changeFields},
      'subjects', (
        select json_agg(json_build_object('id', s.id, 'name', (
          select a.name from accounts a where a.id = s.id
          order by a.valid_from <= c.position desc, abs(a.valid_from - c.position) limit 1)) order by s.place)
        from unnest(c.account_ids) with ordinality s (id, place)),
      'before', c.before::json,
      'after', c.after::json) order by c.position desc), '[]')::text as json
    from (
      select * from account_changes
      where position <= ${at} and (${subjectId}::int8 is null or account_ids @> array[${subjectId}::int8])
        and (${actorId}::int8 is null or actor_id = ${actorId})
        and (${since}::timestamptz is null or recorded_at >= ${since})
        and (${until}::timestamptz is null or recorded_at <= ${until})
      order by position desc limit ${limit} offset ${offset}) c`);
  return row?.json ?? '[]';
}

/** How many changes `listAccountHistory` would give in all. */
export async function countAccountHistory(
  db: Queryable,
  { subjectId, actorId, since, until, at }: AccountHistoryFilter,
): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    select count(*) as count from account_changes
    where position <= ${at} and (${subjectId}::int8 is null or account_ids @> array[${subjectId}::int8])
      and (${actorId}::int8 is null or actor_id = ${actorId})
      and (${since}::timestamptz is null or recorded_at >= ${since})
      and (${until}::timestamptz is null or recorded_at <= ${until})`);
  return row?.count ?? 0;
}
