import type { Queryable } from '../../database/database.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

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

export interface MilestoneFilter {
  readonly isClosed?: boolean | undefined;
  /** A part of the title, in any letter case. */
  readonly part?: string | undefined;
}

/** By deadline, those without one last, then by title. */
export const listMilestones = (
  db: Queryable,
  repositoryId: number,
  filter: MilestoneFilter,
  { limit, offset }: PageRequest,
): Promise<MilestoneRow[]> =>
  db.rows<MilestoneRow>(sql`
    select * from milestones where ${chosen(repositoryId, filter)}
    order by due_at nulls last, lower_title, id limit ${limit} offset ${offset}`);

export const countMilestones = (
  db: Queryable,
  repositoryId: number,
  filter: MilestoneFilter,
): Promise<number> =>
  count(db.rows(sql`select count(*) as count from milestones where ${chosen(repositoryId, filter)}`));

/** The milestone that has this id or, where none has, the oldest of this title; undefined where there is none. */
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

/** The ids of milestones by their titles or ids; what names none is left out. */
export async function findMilestoneIds(
  db: Queryable,
  repositoryId: number | undefined,
  titlesOrIds: readonly string[],
): Promise<number[]> {
  const ids = titlesOrIds.filter((text) => /^\d{1,15}$/.test(text)).map(Number);
  const here = repositoryId === undefined ? fragment`true` : fragment`repository_id = ${repositoryId}`;
  const rows = await db.rows<{ id: number }>(sql`
    select id from milestones where ${here}
      and (lower_title = any(${titlesOrIds.map((title) => title.toLowerCase())}::text[]) or id = any(${ids}::int8[]))`);
  return rows.map(({ id }) => id);
}

function chosen(repositoryId: number, { isClosed, part }: MilestoneFilter): Fragment {
  const all = fragment`repository_id = ${repositoryId}`;
  const stated = isClosed === undefined ? all : fragment`${all} and is_closed = ${isClosed}`;
  return part === undefined || part === ''
    ? stated
    : fragment`${stated} and strpos(lower_title, ${part.toLowerCase()}) > 0`;
}
