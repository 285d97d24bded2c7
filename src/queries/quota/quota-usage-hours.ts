import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import { usageSubjects, type Usage, type UsageSubject } from '../../domain/quota/subjects.js';
import { bytesBySubject, type BytesBySubject } from './bytes-by-subject.js';

/** What an account stored under a subject at the end of a step. Step -1 stands for all time before the first one. */
export interface UsageStepRow {
  readonly subject: UsageSubject;
  readonly step: number;
  readonly bytes: number | bigint;
}

/** A range of hours, counted since 1970. */
interface HoursAsked {
  readonly since: number;
  /** The first hour after the range. */
  readonly until: number;
  /** The number of hours in a step. */
  readonly step: number;
}

/** Lists what an account stored at the end of each step in which that changed, in order. */
export const listUsageSteps = (
  db: Queryable,
  accountId: number,
  { since, until, step }: HoursAsked,
): Promise<UsageStepRow[]> =>
  db.rows<UsageStepRow>(sql`
    select s.subject, -1 as step, u.bytes
    from unnest(${usageSubjects}::text[]) s (subject)
    cross join lateral (
      select bytes from quota_usage_hours
      where account_id = ${accountId} and subject = s.subject and hour < ${since}
      order by hour desc limit 1) u
    union all
    select subject, step, bytes from (
      select distinct on (subject, step) subject, step, bytes
      from (
        select subject, hour, (hour - ${since}) / ${step} as step, bytes from quota_usage_hours
        where account_id = ${accountId} and hour >= ${since} and hour < ${until}) hours
      order by subject, step, hour desc) steps
    order by step`);

/** What an account stored when an hour began; if nothing by then, at the end of the first hour in which it did. */
export interface UsageBefore {
  /** The hour, counted since 1970. */
  readonly hour: number;
  readonly usage: Usage;
}

/** Finds what accounts stored before an hour, by account. Accounts that never stored anything are absent. */
export async function findUsageBefore(
  db: Queryable,
  accountIds: readonly number[],
  hour: number,
): Promise<ReadonlyMap<number, UsageBefore>> {
  type Row = { account_id: number; hour: number; usage: BytesBySubject };
  const rows = await db.rows<Row>(sql`
    select a.id as account_id, b.hour, json_object_agg(u.subject, u.bytes::text) as usage
    from unnest(${accountIds}::int8[]) a (id)
    cross join lateral (
      select greatest(${hour}::int8, min(f.hour) + 1) as hour
      from unnest(${usageSubjects}::text[]) s (subject)
      cross join lateral (
        select hour from quota_usage_hours where account_id = a.id and subject = s.subject
        order by hour limit 1) f) b
    cross join lateral (
      select s.subject, t.bytes
      from unnest(${usageSubjects}::text[]) s (subject)
      cross join lateral (
        select bytes from quota_usage_hours where account_id = a.id and subject = s.subject and hour < b.hour
        order by hour desc limit 1) t) u
    group by a.id, b.hour`);
  return new Map(rows.map(({ account_id: id, hour, usage }) => [id, { hour, usage: bytesBySubject(usage) }]));
}
