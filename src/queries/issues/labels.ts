import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { labelNameKey } from '../../domain/labels/label.js';
import { labelOrders, type LabelOrder, type LabelRow } from '../label-row.js';
import { paged, type Paged, type PageRequest } from '../page.js';
import { usesOf } from './issue-sets.js';
import type { IssueRow } from './issues.js';

/** A label that issues of a repository may carry: its own, or one of the organization that owns it. */
export interface IssueLabelRow extends LabelRow {
  /** Whether the label belongs to the organization that owns the repository. */
  readonly of_organization: boolean;
}

/** Lists the repository's own labels, including archived ones. */
export const listRepositoryLabels = (
  db: Queryable,
  repositoryId: number,
  order: LabelOrder,
  part: PageRequest,
): Promise<Paged<LabelRow>> =>
  paged(db, part, {
    columns: fragment`l.*, ${usesOf(fragment`s.repository_id = l.repository_id`)} as uses`,
    from: fragment`from labels l where l.repository_id = ${repositoryId}`,
    orderBy: labelOrders[order],
  });

/** Finds the label with this id or, if there is none, with this name; undefined if there is neither. */
export async function findRepositoryLabel(
  db: Queryable,
  repositoryId: number,
  idOrName: string,
): Promise<LabelRow | undefined> {
  const id = /^\d{1,15}$/.test(idOrName) ? Number(idOrName) : null;
  const [row] = await db.rows<LabelRow>(sql`
    select * from labels
    where repository_id = ${repositoryId} and (id = ${id} or lower_name = ${labelNameKey(idOrName)})
    order by id = ${id} desc nulls last limit 1`);
  return row;
}

/** Lists all labels that issues of the repository may carry: its own, then those of the organization that owns it. */
export const listUsableLabels = (
  db: Queryable,
  { id, owner_id }: { readonly id: number; readonly owner_id: number },
): Promise<IssueLabelRow[]> =>
  db.rows<IssueLabelRow>(sql`
    select id, name, color, description, exclusive, is_archived, false as of_organization
    from labels where repository_id = ${id}
    union all
    select id, name, color, description, exclusive, is_archived, true
    from organization_labels where organization_id = ${owner_id}
    order by of_organization, id`);

/** Lists those of the labels that belong to an organization other than the repository's owner, which a former one may be. */
export async function listForeignLabels(
  db: Queryable,
  { owner_id }: { readonly owner_id: number },
  labelIds: readonly number[],
): Promise<Pick<LabelRow, 'id' | 'name' | 'exclusive'>[]> {
  if (labelIds.length === 0) return [];
  return db.rows<Pick<LabelRow, 'id' | 'name' | 'exclusive'>>(sql`
    select id, name, exclusive from organization_labels
    where id = any(${labelIds}::int8[]) and organization_id <> ${owner_id}`);
}

/** Lists the labels with exactly these names among those that issues of the repository may carry. */
export const listLabelsNamed = (
  db: Queryable,
  { id, owner_id }: { readonly id: number; readonly owner_id: number },
  names: readonly string[],
): Promise<Pick<LabelRow, 'id' | 'name'>[]> =>
  db.rows<Pick<LabelRow, 'id' | 'name'>>(sql`
    select id, name from labels where repository_id = ${id} and name = any(${names}::text[])
    union all
    select id, name from organization_labels where organization_id = ${owner_id} and name = any(${names}::text[])`);

/**
 * Looks up the labels of many issues with one query. Returns a function that gives an issue's labels by name: those of
 * its repository, and those of the organization that owns the repository now.
 */
export async function labelsCarried(
  db: Queryable,
  issues: readonly Carrier[],
): Promise<(issue: Carrier) => readonly IssueLabelRow[]> {
  const labelIds = [...new Set(issues.flatMap(({ label_ids: ids }) => ids))];
  if (labelIds.length === 0) return () => [];
  const repositoryIds = [...new Set(issues.map(({ repository_id: id }) => id))];
  const rows = await db.rows<IssueLabelRow & { readonly repository_id: number }>(sql`
    select repository_id, id, name, color, description, exclusive, is_archived, of_organization from (
      select d.*, false as of_organization from labels d
      where d.repository_id = any(${repositoryIds}::int8[]) and d.id = any(${labelIds}::int8[])
      union all
      select r.id, d.id, d.name, d.lower_name, d.color, d.description, d.exclusive, d.is_archived, true
      from repositories r join organization_labels d on d.organization_id = r.owner_id
      where r.id = any(${repositoryIds}::int8[]) and d.id = any(${labelIds}::int8[])
    ) l order by lower_name, id`);
  const byRepository = new Map<number, IssueLabelRow[]>(repositoryIds.map((id) => [id, []]));
  for (const { repository_id: id, ...label } of rows) byRepository.get(id)?.push(label);
  return ({ repository_id: id, label_ids: carried }) =>
    (byRepository.get(id) ?? []).filter((label) => carried.includes(label.id));
}

type Carrier = Pick<IssueRow, 'repository_id' | 'label_ids'>;
