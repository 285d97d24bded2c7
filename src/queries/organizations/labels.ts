import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { labelNameKey } from '../../domain/labels/label.js';
import { usesOf } from '../issues/issue-sets.js';
import { labelOrders, type LabelOrder, type LabelRow } from '../label-row.js';
import { paged, type Paged, type PageRequest } from '../page.js';
import { visibleTo, type RepositoryViewer } from '../repositories/access.js';

/**
 * Lists the labels of an organization, which issues of its repositories may carry. Those of repositories whose issues
 * the viewer may not see are not counted.
 */
export const listOrganizationLabels = (
  db: Queryable,
  organizationId: number,
  viewer: RepositoryViewer,
  order: LabelOrder,
  part: PageRequest,
): Promise<Paged<LabelRow>> =>
  paged(db, part, {
    columns: fragment`l.*, ${usesOf(fragment`s.repository_id in (
      select r.id from repositories r
      where r.owner_id = ${organizationId} and ${visibleTo(viewer, 'repo.issues')})`)} as uses`,
    from: fragment`from organization_labels l where l.organization_id = ${organizationId}`,
    orderBy: labelOrders[order],
  });

/** Finds the label with this id or, if there is none, the oldest with this name; undefined if there is neither. */
export async function findOrganizationLabel(
  db: Queryable,
  organizationId: number,
  idOrName: string,
): Promise<LabelRow | undefined> {
  const id = /^\d{1,15}$/.test(idOrName) ? Number(idOrName) : null;
  const [row] = await db.rows<LabelRow>(sql`
    select * from organization_labels
    where organization_id = ${organizationId} and (id = ${id} or lower_name = ${labelNameKey(idOrName)})
    order by id = ${id} desc nulls last, name = ${idOrName} desc, id limit 1`);
  return row;
}
