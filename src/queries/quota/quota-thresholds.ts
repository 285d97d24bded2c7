import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { allOf, where } from '../conditions.js';
import { count } from '../count.js';
import type { Moment } from '../moment.js';
import type { Paged, PageRequest } from '../page.js';

/** A threshold of a limit that the bytes of an account have reached. */
export interface ThresholdRow {
  readonly position: number | bigint;
  readonly event_id: string;
  readonly reached_at: Date;
  readonly account_id: number;
  /** The name at that time; null once the account was erased. */
  readonly account_name: string | null;
  readonly group: string;
  readonly rule: string;
  readonly subjects: readonly string[];
  readonly limit: number | bigint;
  readonly used: number | bigint;
  readonly percent: number;
}

/** The thresholds to list, of those that were known at a moment. Null does not filter; both ends are inclusive. */
export interface ThresholdFilter {
  readonly at: Moment;
  readonly accountId: number | null;
  readonly since: Date | null;
  readonly until: Date | null;
}

const matching = ({ at, accountId, since, until }: ThresholdFilter) =>
  allOf(
    fragment`position <= ${at}`,
    where(accountId, (id) => fragment`account_id = ${id}`),
    where(since, (time) => fragment`reached_at >= ${time}`),
    where(until, (time) => fragment`reached_at <= ${time}`),
  );

/** Lists the thresholds that were reached, newest first. */
export const listQuotaThresholds = (
  db: Queryable,
  filter: ThresholdFilter,
  { limit, offset }: PageRequest,
): Promise<Paged<ThresholdRow>> => {
  const found = fragment`from quota_thresholds where ${matching(filter)}`;
  return Promise.all([
    db.rows<ThresholdRow>(sql`
      select t.*, a.name as account_name
      from (select * ${found} order by position desc limit ${limit} offset ${offset}) t
      left join accounts a on a.id = t.account_id and a.valid_from <= t.position and a.valid_until > t.position
      order by t.position desc`),
    count(db, found),
  ]);
};
