import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { count, totalIn, totalOf } from '../count.js';
import type { Paged, PageRequest } from '../page.js';
import { narrowed, type IssueFilter } from './issue-filter.js';
import { countLabelled, foundBySets, foundInAll, numbersFound, type Labelled } from './issue-sets.js';
import { wholeIssues, type IssueRow } from './issues.js';

/** Lists the issues of a repository, newest first. */
export async function listIssues(
  db: Queryable,
  repositoryId: number,
  filter: IssueFilter,
  { limit, offset }: PageRequest,
): Promise<Paged<IssueRow>> {
  if (hasStateAlone(filter)) {
    const rows = fragment`select i.* from issues i where ${within(repositoryId, filter)}
      order by i.number desc limit ${limit} offset ${offset}`;
    return Promise.all([
      db.rows<IssueRow>(sql`${wholeIssues(rows)} order by i.number desc`),
      countByState(db, repositoryId, filter.isClosed),
    ]);
  }
  const labelIds = labelsAlone(filter);
  if (labelIds)
    return listLabelled(db, { repositoryId, labelIds, isClosed: filter.isClosed }, { limit, offset });
  // One query finds and counts. With a limit the planner would search from the newest on, not for the rare ones.
  const found = fragment`select i.number from issues i where ${within(repositoryId, filter)}`;
  const page = fragment`select i.* from issues i where i.repository_id = ${repositoryId} and i.number = any(array(
    select number from found order by number desc limit ${limit} offset ${offset}))`;
  const rows = db.rows<IssueRow & { readonly total: number }>(sql`
    with found as materialized (${found})
    ${wholeIssues(page, fragment`, (select count(*) from found) as total`)} order by i.number desc`);
  return Promise.all([rows, totalOf(db, rows, found)]);
}

const hasStateAlone = ({ labelIds = [], ...others }: IssueFilter): boolean =>
  labelIds.length === 0 && hasNoMore(others);

const hasNoMore = ({ words = [], ...others }: Omit<IssueFilter, 'labelIds'>): boolean =>
  words.length === 0 &&
  Object.entries(others).every(([name, value]) => name === 'isClosed' || value === undefined);

/** Returns the labels of a filter by labels and state only, if each name means one label; undefined for other filters. */
function labelsAlone({ labelIds = [], ...others }: IssueFilter): readonly number[] | undefined {
  return hasNoMore(others) && labelIds.every(({ length }) => length === 1) ? labelIds.flat() : undefined;
}

/** Finds and counts issues without reading them, from the sets of numbers that each label and state has. */
function listLabelled(db: Queryable, labelled: Labelled, part: PageRequest): Promise<Paged<IssueRow>> {
  const page = fragment`select i.* from issues i
    where i.repository_id = ${labelled.repositoryId} and i.number = any(array(${numbersFound(part)}))`;
  const rows = db.rows<IssueRow & { readonly total: number }>(sql`
    with ${foundBySets(labelled)} ${wholeIssues(page, fragment`, (${foundInAll}) as total`)} order by i.number desc`);
  return Promise.all([rows, totalIn(rows, () => countLabelled(db, labelled))]);
}

/** Returns the number of issues of a state, which the read model keeps counted. */
async function countByState(
  db: Queryable,
  repositoryId: number,
  isClosed: boolean | undefined,
): Promise<number> {
  const [row] = await db.rows<{ open: number; closed: number }>(
    sql`select open, closed from issue_counts where repository_id = ${repositoryId}`,
  );
  const { open, closed } = row ?? { open: 0, closed: 0 };
  if (isClosed === undefined) return open + closed;
  return isClosed ? closed : open;
}

/** Lists issues of the repositories that meet the condition `seen` on `repositories r`, newest first. */
export const searchIssues = (
  db: Queryable,
  seen: Fragment,
  filter: IssueFilter,
  { limit, offset }: PageRequest,
): Promise<Paged<IssueRow>> => {
  const found = fragment`from issues i where ${among(seen, filter)}`;
  const newestFirst = fragment`order by i.created_at desc, i.id desc`;
  const rows = fragment`select i.* ${found} ${newestFirst} limit ${limit} offset ${offset}`;
  return Promise.all([db.rows<IssueRow>(sql`${wholeIssues(rows)} ${newestFirst}`), count(db, found)]);
};

const among = (seen: Fragment, filter: IssueFilter): Fragment =>
  fragment`i.repository_id in (select r.id from repositories r
    where 'repo.issues' = any(r.units) and ${seen}) and ${narrowed(filter)}`;

const within = (repositoryId: number, filter: IssueFilter): Fragment =>
  fragment`i.repository_id = ${repositoryId} and ${narrowed(filter)}`;
