import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { Message } from '../domain/decider.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { QuotaCatalogue, type QuotaCatalogueEvent } from '../domain/quota/quota-catalogue.js';
import { QuotaMembership, type QuotaMembershipEvent } from '../domain/quota/quota-membership.js';
import { StorageLedger, type StorageLedgerEvent } from '../domain/quota/storage-ledger.js';
import type { OpenReservation } from '../domain/quota/storage-ledger-state.js';
import type { EventLog } from '../event-log/event-log.js';
import { eventsBetween } from '../event-log/events-between.js';
import { START, type Position } from '../event-store/event-store.js';

/** A row as text, `table key: values`, so that sets of rows compare and read alike. */
type RowText = string;

export interface Differences {
  readonly position: Position;
  readonly rows: number;
  /** In the log and not among the rows. */
  readonly missing: readonly RowText[];
  /** Among the rows and not in the log. */
  readonly surplus: readonly RowText[];
}

/**
 * Replays the log through the aggregates, which know nothing of tables, up to where the read model stands, and compares
 * every quota row that is valid there.
 */
export async function verify(log: EventLog, db: Queryable, checkpoint: Position): Promise<Differences> {
  const [expected, actual] = [await rowsOfLog(log, checkpoint), await rowsOfTables(db, checkpoint)];
  return {
    position: checkpoint,
    rows: actual.size,
    missing: [...expected].filter((row) => !actual.has(row)).sort(),
    surplus: [...actual].filter((row) => !expected.has(row)).sort(),
  };
}

async function rowsOfLog(log: EventLog, until: Position): Promise<ReadonlySet<RowText>> {
  let catalogue = QuotaCatalogue.initialState;
  const memberships = new Map<string, typeof QuotaMembership.initialState>();
  const ledgers = new Map<string, typeof StorageLedger.initialState>();
  for await (const event of eventsBetween(log, START, until)) {
    const { streamId } = event;
    if (isOf<QuotaCatalogueEvent>(event, QuotaCatalogue)) catalogue = QuotaCatalogue.evolve(catalogue, event);
    else if (isOf<QuotaMembershipEvent>(event, QuotaMembership)) {
      const before = memberships.get(streamId) ?? QuotaMembership.initialState;
      memberships.set(streamId, QuotaMembership.evolve(before, event));
    } else if (isOf<StorageLedgerEvent>(event, StorageLedger)) {
      const before = ledgers.get(streamId) ?? StorageLedger.initialState;
      ledgers.set(streamId, StorageLedger.evolve(before, event));
    }
  }
  const groups = [...catalogue.groups.values()];
  const living = new Set(groups.map(({ id }) => id));
  const { defaults } = catalogue;
  return new Set([
    ...[...catalogue.rules.values()].map(({ id, name, limit, subjects }) => rule(id, name, limit, subjects)),
    ...groups.map(({ id, name }) => `group ${id}: ${name}`),
    ...groups.flatMap(({ id, ruleIds }) => [...ruleIds].map((ruleId) => `group rule ${id} ${ruleId}`)),
    ...[...memberships].flatMap(([accountId, { groups: joined }]) =>
      [...joined.keys()].filter((id) => living.has(id)).map((id) => `member ${id} ${accountId}`),
    ),
    ...(defaults === QuotaCatalogue.initialState.defaults ? [] : [defaultsRow(defaults)]),
    ...[...ledgers].flatMap(([accountId, { usage, reservations }]) => [
      ...Object.entries(usage).flatMap(([subject, bytes]) => used(accountId, subject, bytes)),
      ...[...reservations].map(([id, held]) => reserved(accountId, id, held)),
    ]),
  ]);
}

const isOf = <E extends Message>(
  event: DomainEvent,
  { category }: { readonly category: string },
): event is DomainEvent<E> => event.stream.startsWith(`${category}-`);

async function rowsOfTables(db: Queryable, at: Position): Promise<ReadonlySet<RowText>> {
  type RuleRow = { id: number; name: string; limit: string; subjects: string[] };
  type ReservationRow = Omit<Reserved, 'bytes'> & { accountId: number; id: string; bytes: string };
  const [rules, groups, groupRules, members, defaults, usage, reservations] = await Promise.all([
    db.rows<RuleRow>(sql`
      select id, name, "limit"::text, subjects from quota_rules where valid_from <= ${at} and valid_until > ${at}`),
    db.rows<{ id: number; name: string }>(sql`
      select id, name from quota_groups where valid_from <= ${at} and valid_until > ${at}`),
    db.rows<{ group_id: number; rule_id: number }>(sql`
      select group_id, rule_id from quota_group_rules where valid_from <= ${at} and valid_until > ${at}`),
    db.rows<{ group_id: number; account_id: number }>(sql`
      select m.group_id, m.account_id from quota_members m
      join quota_groups g on g.id = m.group_id and g.valid_from <= ${at} and g.valid_until > ${at}
      where m.valid_from <= ${at} and m.valid_until > ${at}`),
    db.rows<{ groups: string[]; total: string }>(sql`
      select groups, total::text from quota_defaults where valid_from <= ${at} and valid_until > ${at}`),
    db.rows<{ account_id: number; subject: string; bytes: string }>(sql`
      select account_id, subject, bytes::text from quota_usage where valid_from <= ${at} and valid_until > ${at}`),
    db.rows<ReservationRow>(sql`
      select account_id as "accountId", reservation_id as id, object_id as "objectId", subject, bytes::text,
        to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
      from quota_reservations
      where valid_from <= ${at} and valid_until > ${at}`),
  ]);
  return new Set([
    ...rules.map(({ id, name, limit, subjects }) => rule(id, name, limit, subjects)),
    ...groups.map(({ id, name }) => `group ${id}: ${name}`),
    ...groupRules.map(({ group_id, rule_id }) => `group rule ${group_id} ${rule_id}`),
    ...members.map(({ group_id, account_id }) => `member ${group_id} ${account_id}`),
    ...defaults.map(defaultsRow),
    ...reservations.map(({ accountId, id, bytes, ...held }) =>
      reserved(String(accountId), id, { ...held, bytes: BigInt(bytes) }),
    ),
    ...usage.flatMap(({ account_id, subject, bytes }) => used(String(account_id), subject, BigInt(bytes))),
  ]);
}

const rule = (id: number, name: string, limit: string, subjects: readonly string[]): RowText =>
  `rule ${id}: ${name} ${limit} ${subjects.join(' ')}`;

const defaultsRow = ({ total, groups }: { total: string; groups: readonly string[] }): RowText =>
  `defaults: ${total} ${groups.join(' ')}`;

// Nothing used is no row: a subject that was never used has none.
const used = (accountId: string, subject: string, bytes: bigint): RowText[] =>
  bytes === 0n ? [] : [`usage ${accountId} ${subject}: ${bytes}`];

type Reserved = Pick<OpenReservation, 'objectId' | 'subject' | 'bytes' | 'expiresAt'>;

const reserved = (
  accountId: string,
  id: string,
  { objectId, subject, bytes, expiresAt }: Reserved,
): RowText => `reservation ${accountId} ${id}: ${objectId} ${subject} ${bytes} until ${expiresAt}`;
