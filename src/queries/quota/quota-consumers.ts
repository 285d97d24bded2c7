import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { covers, usageSubjects, type QuotaSubject } from '../../domain/quota/subjects.js';
import { count } from '../count.js';
import { NOW, type Moment } from '../moment.js';
import type { Paged, PageRequest } from '../page.js';

/** What an account stored under the requested subject. `name` is that of the moment; null once the account was erased. */
interface ConsumerRow {
  readonly account_id: number;
  readonly name: string | null;
  readonly used: number | bigint;
}

/** The column of each subject; undefined for subjects under which nothing is counted. */
const columns: Readonly<Record<QuotaSubject, Fragment | undefined>> = {
  none: undefined,
  'size:all': fragment`everything`,
  'size:git:all': fragment`git_all`,
  'size:repos:all': fragment`repos_all`,
  'size:repos:public': fragment`repos_public`,
  'size:repos:private': fragment`repos_private`,
  'size:git:lfs': fragment`git_lfs`,
  'size:assets:all': fragment`assets_all`,
  'size:assets:attachments:all': fragment`attachments_all`,
  'size:assets:attachments:issues': fragment`attachments_issues`,
  'size:assets:attachments:releases': fragment`attachments_releases`,
  'size:assets:artifacts': fragment`artifacts`,
  'size:assets:packages:all': fragment`packages`,
  'size:assets:wiki': undefined,
};

/**
 * Returns what each account stored, as `account_id` and `used`. For now there is a row for each account, and an index by
 * `used`; for the past the rows of all accounts are summed.
 */
function usedBy(subject: QuotaSubject, at: Moment): Fragment | undefined {
  const column = columns[subject];
  if (!column) return undefined;
  if (at === NOW) return fragment`(select account_id, ${column} as used from quota_usage_now)`;
  const counted = usageSubjects.filter((leaf) => covers(subject, leaf));
  return fragment`(
    select account_id, sum(bytes)::int8 as used from quota_usage
    where subject = any(${counted}::text[]) and valid_from <= ${at} and valid_until > ${at}
    group by account_id)`;
}

/** Lists the accounts that stored anything under the subject, those with the most bytes first. */
export async function listQuotaConsumers(
  db: Queryable,
  subject: QuotaSubject,
  at: Moment,
  { limit, offset }: PageRequest,
): Promise<Paged<ConsumerRow>> {
  const stored = usedBy(subject, at);
  if (!stored) return [[], 0];
  const consumers = fragment`from ${stored} stored where used > 0`;
  return Promise.all([
    db.rows<ConsumerRow>(sql`
      select u.account_id, a.name, u.used
      from (
        select account_id, used ${consumers}
        order by used desc, account_id limit ${limit} offset ${offset}) u
      left join accounts a on a.id = u.account_id and a.valid_from <= ${at} and a.valid_until > ${at}
      order by u.used desc, u.account_id`),
    count(db, consumers),
  ]);
}
