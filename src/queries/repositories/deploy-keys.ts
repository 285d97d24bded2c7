import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { allOf, where } from '../conditions.js';
import { isThere } from '../count.js';
import { paged, type Paged, type PageRequest } from '../page.js';

/** The public key of a machine that uses the repository. `fingerprint` is by SHA-256: `SHA256:…`. */
export interface DeployKeyRow {
  readonly repository_id: number;
  readonly id: number;
  readonly title: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly read_only: boolean;
  readonly created_at: Date;
}

/** The keys to list. Fields that are null do not filter. */
export interface DeployKeyFilter {
  readonly repositoryId: number;
  readonly keyId: number | null;
  readonly fingerprint: string | null;
}

const matching = ({ repositoryId, keyId, fingerprint }: DeployKeyFilter) =>
  allOf(
    fragment`repository_id = ${repositoryId}`,
    where(keyId, (id) => fragment`id = ${id}`),
    where(fingerprint, (wanted) => fragment`fingerprint = ${wanted}`),
  );

/** Lists the matching keys by id. */
export const listDeployKeys = (
  db: Queryable,
  filter: DeployKeyFilter,
  part: PageRequest,
): Promise<Paged<DeployKeyRow>> =>
  paged(db, part, {
    columns: fragment`*`,
    from: fragment`from deploy_keys where ${matching(filter)}`,
    orderBy: fragment`id`,
  });

/** Finds a key of a repository by its id. */
export async function findDeployKey(
  db: Queryable,
  repositoryId: number,
  keyId: number,
): Promise<DeployKeyRow | undefined> {
  const [row] = await db.rows<DeployKeyRow>(sql`
    select * from deploy_keys where repository_id = ${repositoryId} and id = ${keyId}`);
  return row;
}

/** Tells whether any repository has a deploy key with this fingerprint. */
export const isDeployKey = (db: Queryable, fingerprint: string): Promise<boolean> =>
  isThere(db, fragment`from deploy_keys where fingerprint = ${fingerprint} limit 1`);
