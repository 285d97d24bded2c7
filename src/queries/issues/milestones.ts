import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { milestoneTitleKey } from '../../domain/issues/milestones.js';
import { allOf, where } from '../conditions.js';
import { paged, type Paged, type PageRequest } from '../page.js';
import { oneSigmaIn, withOneSigma } from '../sigma.js';

/** A milestone with the numbers of its issues. `closed_at` is null while it is open, `due_at` if it has no deadline. */
export interface MilestoneRow {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly is_closed: boolean;
  readonly open_issues: number;
  readonly closed_issues: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly closed_at: Date | null;
  readonly due_at: Date | null;
}

/** The milestones to list. Absent fields and an empty `part` do not filter. */
export interface MilestoneFilter {
  readonly isClosed?: boolean | undefined;
  /** A part of the title, in any letter case. */
  readonly part?: string | undefined;
}

/** Lists milestones by deadline, those without one last, then by title. */
export const listMilestones = (
  db: Queryable,
  repositoryId: number,
  filter: MilestoneFilter,
  part: PageRequest,
): Promise<Paged<MilestoneRow>> =>
  paged(db, part, {
    columns: fragment`*`,
    from: fragment`from milestones where ${chosen(repositoryId, filter)}`,
    orderBy: fragment`due_at nulls last, lower_title, id`,
  });

/** Finds a milestone of a repository by its id alone. */
export async function findMilestoneById(
  db: Queryable,
  repositoryId: number,
  id: number,
): Promise<MilestoneRow | undefined> {
  const [row] = await db.rows<MilestoneRow>(sql`
    select * from milestones where repository_id = ${repositoryId} and id = ${id}`);
  return row;
}

/** Finds the milestone with this id or, if there is none, the oldest with this title; undefined if there is neither. */
export async function findMilestone(
  db: Queryable,
  repositoryId: number,
  idOrTitle: string,
): Promise<MilestoneRow | undefined> {
  const id = /^\d{1,15}$/.test(idOrTitle) ? Number(idOrTitle) : null;
  const [row] = await db.rows<MilestoneRow>(sql`
    select * from milestones
    where repository_id = ${repositoryId} and (id = ${id} or title = ${idOrTitle})
    order by id = ${id} desc nulls last, id limit 1`);
  return row;
}

/**
 * Finds the ids of milestones by their titles, in all repositories or in one. In one repository, a text that is no
 * title is taken as an id. Texts that match nothing are ignored.
 */
export async function findMilestoneIds(
  db: Queryable,
  repositoryId: number | undefined,
  titlesOrIds: readonly string[],
): Promise<number[]> {
  const titles = titlesOrIds.map(milestoneTitleKey);
  const numbers = repositoryId === undefined ? [] : titles.filter((text) => /^\d{1,15}$/.test(text));
  const here = repositoryId === undefined ? fragment`true` : fragment`repository_id = ${repositoryId}`;
  const rows = await db.rows<{ id: number; lower_title: string }>(sql`
    select id, lower_title from milestones where ${here}
      and (lower_title = any(${titles}::text[]) or id = any(${numbers.map(Number)}::int8[]))`);
  const asked = new Set(titles);
  const named = new Set(rows.map((row) => row.lower_title).filter((title) => asked.has(title)));
  const meant = new Set(numbers.filter((text) => !named.has(text)).map(Number));
  return rows.filter((row) => named.has(row.lower_title) || meant.has(row.id)).map(({ id }) => id);
}

const chosen = (repositoryId: number, { isClosed, part }: MilestoneFilter): Fragment =>
  allOf(
    fragment`repository_id = ${repositoryId}`,
    where(isClosed, (closed) => fragment`is_closed = ${closed}`),
    where(
      part === '' ? undefined : part,
      (text) =>
        fragment`strpos(${oneSigmaIn(fragment`lower_title`, text)}, ${withOneSigma(milestoneTitleKey(text))}) > 0`,
    ),
  );
