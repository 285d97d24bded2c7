import { fragment, type Fragment } from '../../database/sql.js';
import { allOf, upToSecondOf, where } from '../conditions.js';
import { fragmentPattern } from '../fragment-pattern.js';
import { hasSigma, oneSigmaIn } from '../sigma.js';

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

/** The condition that an issue `i` meets the filter. */
export function narrowed(filter: IssueFilter): Fragment {
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
