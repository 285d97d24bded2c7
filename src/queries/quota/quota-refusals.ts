import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import type { QuotaSubject } from '../../domain/quota/subjects.js';
import { allOf, where } from '../conditions.js';
import { count } from '../count.js';
import type { Moment } from '../moment.js';
import type { Paged, PageRequest } from '../page.js';

/** The refusals to list, as they were counted at a moment. Fields that are null do not filter. */
export interface RefusalFilter {
  readonly at: Moment;
  readonly accountId: number | null;
  /** The earliest and latest beginning of the minutes, both inclusive. */
  readonly since: Date | null;
  readonly until: Date | null;
}

/** The refusals for one account under one subject in one minute. The reason is that of the last one. */
export interface RefusalRow {
  readonly account_id: number;
  /** The name at that time, the last one of who was deleted since; null once the account was erased. */
  readonly account_name: string | null;
  readonly actor_id: number | null;
  readonly actor_name: string | null;
  readonly subject: QuotaSubject;
  readonly minute: Date;
  readonly count: number;
  readonly group: string;
  readonly rule: string;
  readonly limit: number | bigint;
  readonly used: number | bigint;
  readonly incoming: number | bigint | null;
  readonly decided_position: number | bigint;
}

const MINUTE_MS = 60_000;

const matching = ({ at, accountId, since, until }: RefusalFilter) =>
  allOf(
    fragment`valid_from <= ${at} and valid_until > ${at}`,
    where(accountId, (id) => fragment`account_id = ${id}`),
    where(since, (time) => fragment`minute >= ${Math.ceil(time.getTime() / MINUTE_MS)}`),
    where(until, (time) => fragment`minute <= ${Math.floor(time.getTime() / MINUTE_MS)}`),
  );

/** The last name of an account up to a refusal, which may be counted only after the account was deleted. */
const nameOf = (id: Fragment) =>
  fragment`(select name from accounts where id = ${id} and valid_from <= r.position order by valid_until desc limit 1)`;

/** Lists the matching refusals, newest first. */
export const listQuotaRefusals = (
  db: Queryable,
  filter: RefusalFilter,
  { limit, offset }: PageRequest,
): Promise<Paged<RefusalRow>> => {
  const found = fragment`from quota_refusals where ${matching(filter)}`;
  return Promise.all([
    db.rows<RefusalRow>(sql`
      select r.account_id, ${nameOf(fragment`r.account_id`)} as account_name,
        r.actor_id, ${nameOf(fragment`r.actor_id`)} as actor_name, r.subject,
        to_timestamp(r.minute * 60) as minute, r.count, r."group", r.rule, r."limit", r.used, r.incoming,
        r.decided_position
      from (
        select * ${found} order by minute desc, account_id, subject limit ${limit} offset ${offset}) r
      order by r.minute desc, r.account_id, r.subject`),
    count(db, found),
  ]);
};
