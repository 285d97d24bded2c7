import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import { labelNameKey } from '../../domain/labels/label.js';
import { count } from '../count.js';
import { labelOrders, type LabelOrder, type LabelRow } from '../label-row.js';
import type { PageRequest } from '../page.js';

/** The labels of an organization; issues of its repositories carry them. */
export const listOrganizationLabels = (
  db: Queryable,
  organizationId: number,
  order: LabelOrder,
  { limit, offset }: PageRequest,
): Promise<LabelRow[]> =>
  db.rows<LabelRow>(sql`
    select l.*, (select count(*) from issue_labels c
      join repositories r on r.id = c.repository_id and r.owner_id = l.organization_id
      where c.label_id = l.id) as uses
    from organization_labels l where l.organization_id = ${organizationId}
    order by ${labelOrders[order]} limit ${limit} offset ${offset}`);

/** How many labels an organization has, archived ones too: those of `listOrganizationLabels`, over all pages. */
export const countOrganizationLabels = (db: Queryable, organizationId: number): Promise<number> =>
  count(db, fragment`from organization_labels where organization_id = ${organizationId}`);

/** The label that has this id or, where none has, the oldest that has this name; undefined where there is none. */
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
