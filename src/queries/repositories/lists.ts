import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { totalOf } from '../count.js';
import type { Paged, PageRequest } from '../page.js';
import { ownedOrContributedTo, visibleTo, type RepositoryViewer } from './access.js';
import { fromRepositories, repositoryRows, type RepositoryRow } from './repositories.js';

/** A list of repositories. Its SQL fragments name the repository `r`, and in `orderBy` also its owner `o`. */
export interface RepositoryList {
  readonly viewer: RepositoryViewer;
  readonly where: Fragment;
  /** Whether the condition is expected to match few repositories; these are then found before visibility is checked. */
  readonly selective: boolean;
  /** Must end with a column that is unique, so that pages do not overlap. */
  readonly orderBy: Fragment;
}

/** The columns that determine whether a repository is visible and where it is in an order. */
const keys = fragment`
  r.id, r.owner_id, r.is_private, r.lower_name, r.created_at, r.updated_at, r.size_bytes, r.stars, r.forks`;

/**
 * Lists the repositories that the viewer may see. One query finds and counts them; the viewer's
 * access is computed for the rows of the page only.
 */
export function listRepositories(
  db: Queryable,
  { viewer, where, selective, orderBy }: RepositoryList,
  { limit, offset }: PageRequest,
): Promise<Paged<RepositoryRow>> {
  const found = selective
    ? fragment`with narrowed as materialized (select ${keys} from repositories r where ${where})
      select ${keys} from narrowed r where ${visibleTo(viewer)}`
    : fragment`select ${keys} from repositories r where ${where} and ${visibleTo(viewer)}`;
  const page = db.rows<{ total: number }>(sql`
    with found as materialized (${found})
    ${fromRepositories(viewer, fragment`, (select count(*) from found) as total`)}
    where r.id = any(array(
      select r.id from found r
      left join accounts o on o.id = r.owner_id and o.valid_until = ${still}
      order by ${orderBy} limit ${limit} offset ${offset}))
    order by ${orderBy}`);
  return Promise.all([repositoryRows(page), totalOf(db, page, found)]);
}

const byId = fragment`r.id`;

/** Lists the repositories of an owner, by id. */
export const listOwnedRepositories = (
  db: Queryable,
  ownerId: number,
  viewer: RepositoryViewer,
  part: PageRequest,
): Promise<Paged<RepositoryRow>> =>
  listRepositories(
    db,
    { viewer, where: fragment`r.owner_id = ${ownerId}`, selective: true, orderBy: byId },
    part,
  );

/** The orders in which the caller's own repositories can be listed. */
export const ownOrders: ReadonlyMap<string, Fragment> = new Map([
  ['name', fragment`r.lower_name, r.id`],
  ['id', byId],
  ['size', fragment`r.size_bytes desc, r.id`],
]);

/** Lists the repositories that an account owns or contributes to. */
export const listOwnRepositories = (
  db: Queryable,
  { accountId, orderBy }: { readonly accountId: number; readonly orderBy: Fragment },
  viewer: RepositoryViewer,
  part: PageRequest,
): Promise<Paged<RepositoryRow>> => {
  const where = ownedOrContributedTo(accountId);
  return listRepositories(db, { viewer, where, selective: true, orderBy }, part);
};
