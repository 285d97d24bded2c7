import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import { still } from '../../database/still.js';
import type { Usage, UsageSubject } from '../../domain/quota/subjects.js';
import type { Moment } from '../moment.js';
import { bytesBySubject, type BytesBySubject } from './bytes-by-subject.js';

/** The bytes that an account stored, by subject. */
interface StoredRow {
  readonly accountId: number;
  readonly usage: Usage;
}

/** Lists accounts that stored anything at a moment, by id: at most `limit` of them, with ids greater than `after`. */
export async function listStored(
  db: Queryable,
  at: Moment,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly StoredRow[]> {
  const rows = await db.rows<{ account_id: number; usage: BytesBySubject }>(sql`
    select account_id, json_object_agg(subject, bytes::text) as usage from quota_usage
    where account_id > ${after} and valid_from <= ${at} and valid_until > ${at} and bytes > 0
    group by account_id order by account_id limit ${limit}`);
  return rows.map(({ account_id: accountId, usage }) => ({ accountId, usage: bytesBySubject(usage) }));
}

/** Finds what the accounts stored at a moment, by account. */
export async function findStored(
  db: Queryable,
  accountIds: readonly number[],
  at: Moment,
): Promise<ReadonlyMap<number, Usage>> {
  const rows = await db.rows<{ account_id: number; usage: BytesBySubject }>(sql`
    select account_id, json_object_agg(subject, bytes::text) as usage from quota_usage
    where account_id = any(${accountIds}::int8[]) and valid_from <= ${at} and valid_until > ${at}
    group by account_id`);
  return new Map(rows.map(({ account_id: id, usage }) => [id, bytesBySubject(usage)]));
}

/** A reservation that was neither settled nor released at the moment. */
interface ReservedRow {
  readonly account_id: number;
  readonly reservation_id: string;
  readonly object_id: string;
  readonly subject: UsageSubject;
  readonly bytes: number | bigint;
  readonly expires_at: Date;
}

/**
 * Lists the reservations that the accounts had open at a moment, in no particular order, including those that had
 * expired.
 */
export const findReserved = (
  db: Queryable,
  accountIds: readonly number[],
  at: Moment,
): Promise<readonly ReservedRow[]> =>
  db.rows<ReservedRow>(sql`
    select account_id, reservation_id, object_id, subject, bytes, expires_at from quota_reservations
    where account_id = any(${accountIds}::int8[]) and valid_from <= ${at} and valid_until > ${at}`);

/** Finds the names of the groups that the accounts were in, by account. Accounts in no group are absent. */
export async function findGroupNames(
  db: Queryable,
  accountIds: readonly number[],
  at: Moment,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const rows = await db.rows<{ account_id: number; names: readonly string[] }>(sql`
    select m.account_id, array_agg(g.name) as names
    from quota_members m
    join quota_groups g on g.id = m.group_id and g.valid_from <= ${at} and g.valid_until > ${at}
    where m.account_id = any(${accountIds}::int8[]) and m.valid_from <= ${at} and m.valid_until > ${at}
    group by m.account_id`);
  return new Map(rows.map(({ account_id: id, names }) => [id, new Set(names)]));
}

/** Finds the names of accounts by id. Deleted accounts are absent. */
export async function findAccountNames(
  db: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  const rows = await db.rows<{ id: number; name: string | null }>(sql`
    select id, name from accounts where id = any(${ids}::int8[]) and valid_until = ${still}`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
