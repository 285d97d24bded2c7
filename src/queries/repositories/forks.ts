import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import { count } from '../count.js';
import { still } from '../moment.js';
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
  count(db, fragment`from repositories r where r.base_id = ${baseId} and ${visibleTo(viewer)}`);

/** The fork of a repository that an owner has: the names of both, that of the fork where the viewer sees it. */
export async function findForkOf(
  db: Queryable,
  baseId: number,
  ownerId: number,
  viewer: RepositoryViewer,
): Promise<{ readonly owner: string; readonly name: string | null } | undefined> {
  const [fork] = await db.rows<{ owner: string; name: string | null }>(sql`
    select a.name as owner, case when ${visibleTo(viewer)} then r.name end as name
    from repositories r join accounts a on a.id = r.owner_id and a.valid_until = ${still}
    where r.base_id = ${baseId} and r.owner_id = ${ownerId} limit 1`);
  return fork;
}
