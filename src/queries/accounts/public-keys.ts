import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { allOf, where } from '../conditions.js';
import { paged, type Paged, type PageRequest } from '../page.js';

/** A public key of a user. Personal columns are null once the user was erased. */
export interface PublicKeyRow {
  readonly id: number;
  readonly account_id: number;
  readonly title: string | null;
  readonly key: string | null;
  readonly fingerprint: string;
  readonly created_at: Date;
}

/** The keys to list. Fields that are null do not filter. */
export interface PublicKeyFilter {
  readonly accountId: number | null;
  readonly fingerprint: string | null;
}

const matching = ({ accountId, fingerprint }: PublicKeyFilter) =>
  allOf(
    where(accountId, (id) => fragment`account_id = ${id}`),
    where(fingerprint, (wanted) => fragment`fingerprint = ${wanted}`),
  );

/** Lists the matching keys by id. */
export const listPublicKeys = (
  db: Queryable,
  filter: PublicKeyFilter,
  part: PageRequest,
): Promise<Paged<PublicKeyRow>> =>
  paged(db, part, {
    columns: fragment`id, account_id, title, key, fingerprint, created_at`,
    from: fragment`from public_keys where ${matching(filter)}`,
    orderBy: fragment`id`,
  });

/** Finds a public key of any account by its id. */
export async function findPublicKey(db: Queryable, id: number): Promise<PublicKeyRow | undefined> {
  const [row] = await db.rows<PublicKeyRow>(sql`
    select id, account_id, title, key, fingerprint, created_at from public_keys where id = ${id}`);
  return row;
}

/** Finds the ids of the accounts that own keys, by fingerprint. Keys that no account owns are absent. */
export async function findKeyOwners(
  db: Queryable,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (fingerprints.length === 0) return new Map();
  const rows = await db.rows<Pick<PublicKeyRow, 'account_id' | 'fingerprint'>>(sql`
    select account_id, fingerprint from public_keys where fingerprint = any(${fingerprints}::text[])`);
  return new Map(rows.map(({ account_id, fingerprint }) => [fingerprint, account_id]));
}
