import type { Queryable } from '../../database/database.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { totalOf } from '../count.js';
import { still } from '../moment.js';
import type { PageRequest } from '../page.js';
import { contributionsOf, visibleTo, type RepositoryViewer } from './access.js';
import { fromRepositories, repositoryRows, type RepositoryRow } from './repositories.js';

/** A page of repositories, and how many there are in all. */
export type RepositoryPage = readonly [rows: Promise<RepositoryRow[]>, total: Promise<number>];

/** Which repositories a list is of. Fragments speak of the repository `r` and its owner `o`. */
export interface RepositoryList {
  readonly viewer: RepositoryViewer;
  readonly where: Fragment;
  /** The condition is expected to leave few: these are found first, and only then is asked which the viewer sees. */
  readonly selective: boolean;
  /** Ends with what no two repositories share. */
  readonly orderBy: Fragment;
}

/** What is asked of a repository to tell whether it is seen, and where it stands in an order. */
const keys = fragment`
  r.id, r.owner_id, r.is_private, r.lower_name, r.created_at, r.updated_at, r.size_bytes, r.stars, r.forks`;

/**
 * Those of a list that the viewer sees. They are found and counted in one go; what the viewer may do in each is worked
 * out for the page alone.
 */
export function pageOfRepositories(
  db: Queryable,
  { viewer, where, selective, orderBy }: RepositoryList,
  { limit, offset }: PageRequest,
): RepositoryPage {
  const found = selective
    ? fragment`with narrowed as materialized (select ${keys} from repositories r where ${where})
      select ${keys} from narrowed r where ${visibleTo(viewer)}`
    : fragment`select ${keys} from repositories r where ${where} and ${visibleTo(viewer)}`;
  const page = db.rows<{ total: number }>(sql`
    with found as materialized (${found})
    ${fromRepositories(viewer, fragment`, (select count(*) from found) as total`)}
    where r.id = any(array(
      select r.id from found r
      join accounts o on o.id = r.owner_id and o.valid_until = ${still}
      order by ${orderBy} limit ${limit} offset ${offset}))
    order by ${orderBy}`);
  return [repositoryRows(page), totalOf(db, page, found)];
}

const byId = fragment`r.id`;

/** The repositories of an owner, by id. */
export const pageOfOwned = (
  db: Queryable,
  ownerId: number,
  viewer: RepositoryViewer,
  page: PageRequest,
): RepositoryPage =>
  pageOfRepositories(
    db,
    { viewer, where: fragment`r.owner_id = ${ownerId}`, selective: true, orderBy: byId },
    page,
  );

/** How one's own repositories can be ordered. */
export const ownOrders: ReadonlyMap<string, Fragment> = new Map([
  ['name', fragment`r.lower_name, r.id`],
  ['id', byId],
  ['size', fragment`r.size_bytes desc, r.id`],
]);

/** The repositories that an account owns or has to do with. */
export const pageOfOwn = (
  db: Queryable,
  { accountId, orderBy }: { readonly accountId: number; readonly orderBy: Fragment },
  viewer: RepositoryViewer,
  page: PageRequest,
): RepositoryPage => {
  const where = fragment`r.id in (
    select id from repositories where owner_id = ${accountId} union all ${contributionsOf(accountId)})`;
  return pageOfRepositories(db, { viewer, where, selective: true, orderBy }, page);
};
