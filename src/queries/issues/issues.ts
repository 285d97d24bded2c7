import type { Queryable } from '../../database/database.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { issueKey, issueOf } from '../../domain/issues/place.js';
import { allOf, upToSecondOf, where } from '../conditions.js';
import { count, isThere, totalIn, totalOf } from '../count.js';
import { fragmentPattern } from '../fragment-pattern.js';
import type { Paged, PageRequest } from '../page.js';
import { hasSigma, oneSigmaIn } from '../sigma.js';
import { together } from '../../database/together.js';
import { countLabelled, foundBySets, foundInAll, numbersFound, type Labelled } from './issue-sets.js';
import type { MilestoneRow } from './milestones.js';

/** A milestone as `to_json` makes it: times are strings. */
export interface IssueMilestone {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly is_closed: boolean;
  readonly open_issues: number;
  readonly closed_issues: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly due_at: string | null;
}

/**
 * An issue with all that is shown with it. If the issue has none, `ref` is empty and other fields are null. `revision`
 * is the revision of its stream, from which the ETag is made. The poster's account may have been deleted.
 */
export interface IssueRow {
  readonly repository_id: number;
  /** The issue's index in the repository. */
  readonly number: number;
  readonly id: number;
  readonly poster_id: number;
  readonly title: string;
  readonly body: string;
  readonly ref: string;
  readonly milestone: IssueMilestone | MilestoneRow | null;
  readonly due_at: Date | null;
  readonly is_closed: boolean;
  readonly closed_at: Date | null;
  readonly comments: number;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** In the order of the assignment. */
  readonly assignee_ids: readonly number[];
  /** The ids of the labels that the issue carries; see `labelsCarried`. */
  readonly label_ids: readonly number[];
}

/** The issues to list. Absent fields do not filter. */
export interface IssueFilter {
  readonly isClosed?: boolean | undefined;
  /** The issue must carry at least one label of each of these lists. */
  readonly labelIds?: readonly (readonly number[])[] | undefined;
  /** Those of `labelIds` that belong to organizations; they only count in repositories that the organization owns now. */
  readonly organizationLabelIds?: readonly number[] | undefined;
  /** The issue must be in one of these milestones. */
  readonly milestoneIds?: readonly number[] | undefined;
  /** Each word must occur in the title, the body or a comment, in any letter case. */
  readonly words?: readonly string[] | undefined;
  /** The earliest and latest time of the last change, both inclusive. */
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
  readonly posterId?: number | undefined;
  readonly assigneeId?: number | undefined;
  /** The name of an account that must be mentioned in the issue or its comments. */
  readonly mentioned?: string | undefined;
}

/** Adds the remaining columns of `IssueRow`, and the columns `more`, to rows of `issues`, which it names `i`. */
const whole = (rows: Fragment, more = fragment``): Fragment => fragment`
  select i.*, t.title, t.body,
    (select coalesce(json_agg(c.label_id), '[]') from issue_labels c
      where c.repository_id = i.repository_id and c.number = i.number) as label_ids,
    (select coalesce(json_agg(a.account_id order by a.place), '[]') from issue_assignees a
      where a.repository_id = i.repository_id and a.number = i.number) as assignee_ids,
    (select to_json(m) from milestones m
      where m.repository_id = i.repository_id and m.id = i.milestone_id) as milestone ${more}
  from (${rows}) i join issue_texts t on t.repository_id = i.repository_id and t.number = i.number`;

/** Finds an issue by its number in the repository. The repository's id may be given as an SQL expression. */
export async function findIssue(
  db: Queryable,
  repositoryId: number | Fragment,
  number: number,
): Promise<IssueRow | undefined> {
  const rows = fragment`select * from issues where repository_id = ${repositoryId} and number = ${number}`;
  const [row] = await db.rows<IssueRow>(sql`${whole(rows)}`);
  return row;
}

/** Tells whether the repository has an issue with this number. */
export const isIssue = (db: Queryable, repositoryId: number, number: number): Promise<boolean> =>
  isThere(db, fragment`from issues where repository_id = ${repositoryId} and number = ${number}`);

/** Finds an issue by its key; undefined if there is none. Simultaneous calls share a query. */
export const findIssueByKey = together(async (db: Queryable, keys: readonly string[]) => {
  const places = keys.map(issueOf);
  const rows = fragment`select * from issues where (repository_id, number) in (select * from unnest(
    ${places.map(({ repository_id: id }) => id)}::int8[], ${places.map(({ number }) => number)}::int8[]))`;
  const found = await db.rows<IssueRow>(sql`${whole(rows)}`);
  return new Map(found.map((row) => [issueKey(row.repository_id, row.number), row]));
});

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
      db.rows<IssueRow>(sql`${whole(rows)} order by i.number desc`),
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
    ${whole(page, fragment`, (select count(*) from found) as total`)} order by i.number desc`);
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
    with ${foundBySets(labelled)} ${whole(page, fragment`, (${foundInAll}) as total`)} order by i.number desc`);
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
  return Promise.all([db.rows<IssueRow>(sql`${whole(rows)} ${newestFirst}`), count(db, found)]);
};

const among = (seen: Fragment, filter: IssueFilter): Fragment =>
  fragment`i.repository_id in (select r.id from repositories r
    where 'repo.issues' = any(r.units) and ${seen}) and ${narrowed(filter)}`;

const within = (repositoryId: number, filter: IssueFilter): Fragment =>
  fragment`i.repository_id = ${repositoryId} and ${narrowed(filter)}`;

function narrowed(filter: IssueFilter): Fragment {
  const { labelIds = [], organizationLabelIds: shared = [], words = [], mentioned } = filter;
  const texts = [...words.map(placesOf), ...(mentioned === undefined ? [] : [placesMentioning(mentioned)])];
  const carried = shared.length > 0 ? fragment`and ${ofOwner(shared)}` : fragment``;
  return allOf(
    where(filter.isClosed, (isClosed) => fragment`i.is_closed = ${isClosed}`),
    ...labelIds.map(
      (ids) => fragment`exists (select from issue_labels l where l.repository_id = i.repository_id
        and l.number = i.number and ${isOne(ids, fragment`l.label_id`)} ${carried})`,
    ),
    where(filter.milestoneIds, (ids) => fragment`i.milestone_id = any(${ids}::int8[])`),
    where(texts.length === 0 ? undefined : texts, holding),
    where(filter.since, (since) => fragment`i.updated_at >= ${since}`),
    where(filter.before, (before) => upToSecondOf(fragment`i.updated_at`, before)),
    where(filter.posterId, (posterId) => fragment`i.poster_id = ${posterId}`),
    where(
      filter.assigneeId,
      (assigneeId) => fragment`(i.repository_id, i.number) in (
        select repository_id, number from issue_assignees where account_id = ${assigneeId})`,
    ),
  );
}

/**
 * The condition that the label `l` is none of `ids`, or belongs to the present owner of its repository. An issue keeps
 * the ids of labels of previous owners.
 */
const ofOwner = (ids: readonly number[]): Fragment => fragment`(l.label_id <> all(${ids}::int8[])
  or exists (select from repositories h join organization_labels d on d.organization_id = h.owner_id
    where h.id = l.repository_id and d.id = l.label_id))`;

/** A single id is compared by `=`, because PostgreSQL plans for a list of unknown length. */
const isOne = (ids: readonly number[], column: Fragment): Fragment =>
  ids.length === 1 ? fragment`${column} = ${ids[0]}` : fragment`${column} = any(${ids}::int8[])`;

/** One condition for all texts, because PostgreSQL could evaluate a second one anew for each issue that meets the first. */
const holding = (texts: readonly Fragment[]): Fragment =>
  fragment`(i.repository_id, i.number) in (
    ${texts.reduce((all, places) => fragment`${all} intersect ${places}`)})`;

const placesOf = (word: string): Fragment => fragment`(
    select repository_id, number from issue_texts where ${holds(fragment`lower(title || ' ' || body)`, word)}
    union all
    select repository_id, number from issue_comments where ${holds(fragment`lower(body)`, word)})`;

/** Whether lowered text holds a word. The index finds any letter for a sigma, whose two small forms count as one. */
function holds(text: Fragment, word: string): Fragment {
  const exactly = fragment`${oneSigmaIn(text, word)} like ${oneSigmaIn(patternOf(word), word)}`;
  if (!hasSigma(word)) return exactly;
  const roughly = fragment`lower(${fragmentPattern(word).replace(/[Σσς]/g, '_')}::text)`;
  return fragment`(${text} like ${roughly} and ${exactly})`;
}

/** Finds the name by the index of words first, because the exact pattern has to read every text. */
function placesMentioning(name: string): Fragment {
  const word = patternOf(`@${name}`);
  const escaped = name.replace(/[.+*?^$()[\]{}|\\-]/g, '\\$&');
  // The name must not continue as a longer one, as that of a team or, as in `@name@server`, as one of another server; the
  // end of a sentence may follow.
  const pattern = `(^|[^a-z0-9_./-])@${escaped}(?![.-]*[@:]?[a-z0-9_/])`;
  return fragment`(
    select repository_id, number from issue_texts
      where lower(title || ' ' || body) like ${word} and (title ~* ${pattern} or body ~* ${pattern})
    union all
    select repository_id, number from issue_comments where lower(body) like ${word} and body ~* ${pattern})`;
}

/** PostgreSQL lowers both: it differs from JavaScript in letters such as the Σ at the end of a word. */
const patternOf = (part: string): Fragment => fragment`lower(${fragmentPattern(part)}::text)`;

/** Returns the highest index ever given in the repository, as far as the read model knows; 0 if none was. */
export async function findLastIssueNumber(db: Queryable, repositoryId: number): Promise<number> {
  const [row] = await db.rows<{ last: number }>(
    sql`select last_number as last from issue_counts where repository_id = ${repositoryId}`,
  );
  return row?.last ?? 0;
}

/** Lists the ids of an owner's repositories in which an account is assigned to issues. */
export async function listRepositoriesAssigned(
  db: Queryable,
  ownerId: number,
  accountId: number,
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select r.id from repositories r where r.owner_id = ${ownerId} and r.id in (
      select repository_id from issue_assignees where account_id = ${accountId}) order by r.id`);
  return rows.map(({ id }) => id);
}

/** Lists the ids of the accounts that are assigned to issues in an owner's repositories. */
export async function listAccountsAssigned(db: Queryable, ownerId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select distinct i.account_id as id from issue_assignees i
    join repositories r on r.id = i.repository_id where r.owner_id = ${ownerId} order by 1`);
  return rows.map(({ id }) => id);
}

/** Lists the ids of the accounts that are assigned to issues of a repository. */
export async function listAccountsAssignedIn(db: Queryable, repositoryId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select distinct account_id as id from issue_assignees where repository_id = ${repositoryId} order by 1`);
  return rows.map(({ id }) => id);
}

/** Lists the numbers of a repository's issues that an account is assigned to, in ascending order. */
export async function listNumbersAssigned(
  db: Queryable,
  repositoryId: number,
  accountId: number,
): Promise<number[]> {
  const rows = await db.rows<{ number: number }>(sql`
    select number from issue_assignees where repository_id = ${repositoryId} and account_id = ${accountId} order by number`);
  return rows.map(({ number }) => number);
}
