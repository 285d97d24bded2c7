import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';
import { visibleTo, type RepositoryViewer } from './access.js';
import { fromRepositories, repositoryRows, type RepositoryRow } from './repositories.js';

/** The forks of a repository that the viewer sees, by id. */
export const listForks = (
  db: Queryable,
  baseId: number,
  viewer: RepositoryViewer,
  { limit, offset }: PageRequest,
): Promise<RepositoryRow[]> =>
  repositoryRows(
    db.rows(sql`${fromRepositories(viewer)} where r.base_id = ${baseId} and ${visibleTo(viewer)}
      order by r.id limit ${limit} offset ${offset}`),
  );

/** How many forks of a repository the viewer sees, over all pages; there may be more. */
export const countForks = (db: Queryable, baseId: number, viewer: RepositoryViewer): Promise<number> =>
  count(
    db.rows(
      sql`select count(*) as count from repositories r where r.base_id = ${baseId} and ${visibleTo(viewer)}`,
    ),
  );

/** Whether an owner has a fork of a repository. */
export async function hasFork(db: Queryable, baseId: number, ownerId: number): Promise<boolean> {
  const rows = await db.rows(sql`
    select from repositories where base_id = ${baseId} and owner_id = ${ownerId} limit 1`);
  return rows.length > 0;
}
