import type { Queryable } from '../../database/database.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import type { QuotaSubject } from '../../domain/quota/subjects.js';
import { count } from '../count.js';
import { still } from '../moment.js';
import type { PageRequest } from '../page.js';

/** What an account stores under the requested subject. */
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

/** Lists the accounts that store anything under the subject, those with the most bytes first. */
export async function listQuotaConsumers(
  db: Queryable,
  subject: QuotaSubject,
  { limit, offset }: PageRequest,
): Promise<readonly ConsumerRow[]> {
  const column = columns[subject];
  if (!column) return [];
  return db.rows<ConsumerRow>(sql`
    select u.account_id, a.name, u.used
    from (
      select account_id, ${column} as used from quota_usage_now where ${column} > 0
      order by ${column} desc, account_id limit ${limit} offset ${offset}) u
    left join accounts a on a.id = u.account_id and a.valid_until = ${still}
    order by u.used desc, u.account_id`);
}

/** Counts the accounts that store anything under the subject now; 0 for a subject under which nothing is counted. */
export async function countQuotaConsumers(db: Queryable, subject: QuotaSubject): Promise<number> {
  const column = columns[subject];
  return column ? count(db, fragment`from quota_usage_now where ${column} > 0`) : 0;
}
