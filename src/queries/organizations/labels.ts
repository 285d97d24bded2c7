import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import { count } from '../count.js';
import type { LabelRow } from '../label-row.js';
import type { PageRequest } from '../page.js';

/** The labels of an organization by name, or the other way round. */
export const listOrganizationLabels = (
  db: Queryable,
  organizationId: number,
  { limit, offset }: PageRequest,
  { reversed }: { readonly reversed: boolean },
): Promise<LabelRow[]> =>
  db.rows<LabelRow>(
    reversed
      ? sql`
        select * from organization_labels where organization_id = ${organizationId}
        order by lower_name desc, id desc limit ${limit} offset ${offset}`
      : sql`
        select * from organization_labels where organization_id = ${organizationId}
        order by lower_name, id limit ${limit} offset ${offset}`,
  );

export const countOrganizationLabels = (db: Queryable, organizationId: number): Promise<number> =>
  count(
    db.rows(sql`
    select count(*) as count from organization_labels where organization_id = ${organizationId}`),
  );

/** The label that has this id or, where none has, the oldest that has this name; undefined where there is none. */
export async function findOrganizationLabel(
  db: Queryable,
  organizationId: number,
  idOrName: string,
): Promise<LabelRow | undefined> {
  const id = /^\d{1,15}$/.test(idOrName) ? Number(idOrName) : null;
  const [row] = await db.rows<LabelRow>(sql`
    select * from organization_labels
    where organization_id = ${organizationId} and (id = ${id} or lower_name = ${idOrName.toLowerCase()})
    order by id = ${id} desc nulls last, name = ${idOrName} desc, id limit 1`);
  return row;
}
