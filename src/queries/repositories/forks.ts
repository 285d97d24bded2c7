import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { count } from '../count.js';
import type { Paged, PageRequest } from '../page.js';
import { visibleTo, type RepositoryViewer } from './access.js';
import { fromRepositories, repositoryRows, type RepositoryRow } from './repositories.js';

/** Lists the forks of a repository that the viewer may see, by id. */
export const listForks = (
  db: Queryable,
  baseId: number,
  viewer: RepositoryViewer,
  { limit, offset }: PageRequest,
): Promise<Paged<RepositoryRow>> =>
  Promise.all([
    repositoryRows(
      db.rows(sql`${fromRepositories(viewer)} where r.base_id = ${baseId} and ${visibleTo(viewer)}
        order by r.id limit ${limit} offset ${offset}`),
    ),
    count(db, fragment`from repositories r where r.base_id = ${baseId} and ${visibleTo(viewer)}`),
  ]);

/** Finds an owner's fork of a repository: the owner's name, and the fork's name if the viewer may see it. */
export async function findForkOf(
  db: Queryable,
  baseId: number,
  ownerId: number,
  viewer: RepositoryViewer,
): Promise<{ readonly id: number; readonly owner: string; readonly name: string | null } | undefined> {
  const [fork] = await db.rows<{ id: number; owner: string; name: string | null }>(sql`
    select r.id, a.name as owner, case when ${visibleTo(viewer)} then r.name end as name
    from repositories r join accounts a on a.id = r.owner_id and a.valid_until = ${still}
    where r.base_id = ${baseId} and r.owner_id = ${ownerId} limit 1`);
  return fork;
}
