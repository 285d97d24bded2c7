import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import { allOf, where } from '../conditions.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

/** Personal columns are null once the person was erased. */
export interface PublicKeyRow {
  readonly id: number;
  readonly account_id: number;
  readonly title: string | null;
  readonly key: string | null;
  readonly fingerprint: string;
  readonly created_at: Date;
}

/** Which keys are asked for; what is null does not narrow. */
export interface PublicKeyFilter {
  readonly accountId: number | null;
  readonly fingerprint: string | null;
}

const matching = ({ accountId, fingerprint }: PublicKeyFilter) =>
  allOf(
    where(accountId, (id) => fragment`account_id = ${id}`),
    where(fingerprint, (wanted) => fragment`fingerprint = ${wanted}`),
  );

/** By id. */
export const listPublicKeys = (
  db: Queryable,
  filter: PublicKeyFilter,
  { limit, offset }: PageRequest,
): Promise<PublicKeyRow[]> =>
  db.rows<PublicKeyRow>(sql`
    select id, account_id, title, key, fingerprint, created_at from public_keys
    where ${matching(filter)} order by id limit ${limit} offset ${offset}`);

/** How many keys `listPublicKeys` would give in all. */
export const countPublicKeys = (db: Queryable, filter: PublicKeyFilter): Promise<number> =>
  count(db, fragment`from public_keys where ${matching(filter)}`);

/** A public key by its id, whoever has it. */
export async function findPublicKey(db: Queryable, id: number): Promise<PublicKeyRow | undefined> {
  const [row] = await db.rows<PublicKeyRow>(sql`
    select id, account_id, title, key, fingerprint, created_at from public_keys where id = ${id}`);
  return row;
}

/** Whose keys these are, by fingerprint; those of nobody are left out. */
export async function findKeyOwners(
  db: Queryable,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (fingerprints.length === 0) return new Map();
  const rows = await db.rows<Pick<PublicKeyRow, 'account_id' | 'fingerprint'>>(sql`
    select account_id, fingerprint from public_keys where fingerprint = any(${fingerprints}::text[])`);
  return new Map(rows.map(({ account_id, fingerprint }) => [fingerprint, account_id]));
}
