import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { Message } from '../domain/decider.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { QuotaCatalogue, type QuotaCatalogueEvent } from '../domain/quota/quota-catalogue.js';
import { QuotaMembership, type QuotaMembershipEvent } from '../domain/quota/quota-membership.js';
import { StorageLedger, type StorageLedgerEvent } from '../domain/quota/storage-ledger.js';
import type { OpenReservation } from '../domain/quota/storage-ledger-state.js';
import type { EventLog } from '../event-log/event-log.js';
import { eventsBetween, readable } from '../event-log/events-between.js';
import { START, type Position } from '../event-store/event-store.js';

/** A row in the form `table key: values`, so that rows can be compared and printed. */
type RowText = string;

/** The result of `verify`: the number of rows that were compared at the position, and the differing ones, sorted. */
export interface Differences {
  readonly position: Position;
  readonly rows: number;
  /** Rows that follow from the log but are not in the tables. */
  readonly missing: readonly RowText[];
  /** Rows in the tables that do not follow from the log. */
  readonly surplus: readonly RowText[];
}

/**
 * Replays the log through the aggregates, which know nothing of tables, up to the read model's position, and compares
 * every quota row that is valid there. Rows of accounts are compared page by page, to bound memory.
 */
export async function verify(
  log: EventLog,
  db: Queryable,
  checkpoint: Position,
  accountsAtOnce = 1_000,
): Promise<Differences> {
  const replayed = await replay(log, checkpoint);
  let rows = 0;
  const missing: RowText[] = [];
  const surplus: RowText[] = [];
  const compare = (ofLog: ReadonlySet<RowText>, ofTables: ReadonlySet<RowText>) => {
    rows += ofTables.size;
    for (const row of ofLog) if (!ofTables.has(row)) missing.push(row);
    for (const row of ofTables) if (!ofLog.has(row)) surplus.push(row);
  };
  compare(catalogueOfLog(replayed), await catalogueOfTables(db, checkpoint));
  for (const page of pagesOf(replayed, accountsAtOnce))
    compare(accountsOfLog(replayed, page), await accountsOfTables(db, checkpoint, page));
  return { position: checkpoint, rows, missing: missing.sort(), surplus: surplus.sort() };
}

/** The state according to the log; memberships and ledgers by account. */
interface Replayed {
  readonly catalogue: typeof QuotaCatalogue.initialState;
  readonly memberships: ReadonlyMap<number, typeof QuotaMembership.initialState>;
  readonly ledgers: ReadonlyMap<number, typeof StorageLedger.initialState>;
}

async function replay(log: EventLog, until: Position): Promise<Replayed> {
  let catalogue = QuotaCatalogue.initialState;
  const memberships = new Map<number, typeof QuotaMembership.initialState>();
  const ledgers = new Map<number, typeof StorageLedger.initialState>();
  for await (const event of eventsBetween(log, START, until)) {
    const id = Number(event.streamId);
    if (isOf<QuotaCatalogueEvent>(event, QuotaCatalogue))
      catalogue = QuotaCatalogue.evolve(catalogue, readable(event));
    else if (isOf<QuotaMembershipEvent>(event, QuotaMembership)) {
      const before = memberships.get(id) ?? QuotaMembership.initialState;
      memberships.set(id, QuotaMembership.evolve(before, readable(event)));
    } else if (isOf<StorageLedgerEvent>(event, StorageLedger)) {
      const before = ledgers.get(id) ?? StorageLedger.initialState;
      ledgers.set(id, StorageLedger.evolve(before, readable(event)));
    }
  }
  return { catalogue, memberships, ledgers };
}

const isOf = <E extends Message>(
  event: DomainEvent,
  { category }: { readonly category: string },
): event is DomainEvent<E> => event.stream.startsWith(`${category}-`);

/** A range of account ids, and the accounts of the log within it. */
interface Page {
  readonly ids: readonly number[];
  readonly after: number;
  readonly until: number;
}

/** Splits all possible ids into pages. */
function* pagesOf({ memberships, ledgers }: Replayed, size: number): Generator<Page> {
  const all = [...new Set([...memberships.keys(), ...ledgers.keys()])].sort((a, b) => a - b);
  let after = Number.MIN_SAFE_INTEGER;
  for (let from = 0; from <= all.length; from += size) {
    const ids = all.slice(from, from + size);
    const until = ids.length < size ? Number.MAX_SAFE_INTEGER : (ids.at(-1) ?? after);
    yield { ids, after, until };
    after = until;
  }
}

function catalogueOfLog({ catalogue }: Replayed): ReadonlySet<RowText> {
  const { rules, defaults } = catalogue;
  const groups = [...catalogue.groups.values()];
  return new Set([
    ...[...rules.values()].map(({ id, name, limit, subjects }) => rule(id, name, limit, subjects)),
    ...groups.map(({ id, name }) => `group ${id}: ${name}`),
    ...groups.flatMap(({ id, ruleIds }) => [...ruleIds].map((ruleId) => `group rule ${id} ${ruleId}`)),
    ...(defaults === QuotaCatalogue.initialState.defaults ? [] : [defaultsRow(defaults)]),
  ]);
}

function accountsOfLog({ catalogue, memberships, ledgers }: Replayed, { ids }: Page): ReadonlySet<RowText> {
  const living = new Set(Array.from(catalogue.groups.values(), ({ id }) => id));
  return new Set(
    ids.flatMap((accountId) => {
      const { groups } = memberships.get(accountId) ?? QuotaMembership.initialState;
      const { usage, reservations } = ledgers.get(accountId) ?? StorageLedger.initialState;
      return [
        ...[...groups.keys()].filter((id) => living.has(id)).map((id) => `member ${id} ${accountId}`),
        ...Object.entries(usage).flatMap(([subject, bytes]) => used(accountId, subject, bytes)),
        ...Array.from(reservations, ([id, held]) => reserved(accountId, id, held)),
      ];
    }),
  );
}

async function catalogueOfTables(db: Queryable, at: Position): Promise<ReadonlySet<RowText>> {
  type RuleRow = { id: number; name: string; limit: string; subjects: string[] };
  const [rules, groups, groupRules, defaults] = await Promise.all([
    db.rows<RuleRow>(sql`
      select id, name, "limit"::text, subjects from quota_rules where valid_from <= ${at} and valid_until > ${at}`),
    db.rows<{ id: number; name: string }>(sql`
      select id, name from quota_groups where valid_from <= ${at} and valid_until > ${at}`),
    db.rows<{ group_id: number; rule_id: number }>(sql`
      select group_id, rule_id from quota_group_rules where valid_from <= ${at} and valid_until > ${at}`),
    db.rows<{ groups: string[]; total: string }>(sql`
      select groups, total::text from quota_defaults where valid_from <= ${at} and valid_until > ${at}`),
  ]);
  return new Set([
    ...rules.map(({ id, name, limit, subjects }) => rule(id, name, limit, subjects)),
    ...groups.map(({ id, name }) => `group ${id}: ${name}`),
    ...groupRules.map(({ group_id, rule_id }) => `group rule ${group_id} ${rule_id}`),
    ...defaults.map(defaultsRow),
  ]);
}

async function accountsOfTables(
  db: Queryable,
  at: Position,
  { after, until }: Page,
): Promise<ReadonlySet<RowText>> {
  type ReservationRow = Omit<Reserved, 'bytes'> & { accountId: number; id: string; bytes: string };
  const [members, usage, reservations] = await Promise.all([
    db.rows<{ group_id: number; account_id: number }>(sql`
      select m.group_id, m.account_id from quota_members m
      join quota_groups g on g.id = m.group_id and g.valid_from <= ${at} and g.valid_until > ${at}
      where m.account_id > ${after} and m.account_id <= ${until} and m.valid_from <= ${at} and m.valid_until > ${at}`),
    db.rows<{ account_id: number; subject: string; bytes: string }>(sql`
      select account_id, subject, bytes::text from quota_usage
      where account_id > ${after} and account_id <= ${until} and valid_from <= ${at} and valid_until > ${at}`),
    db.rows<ReservationRow>(sql`
      select account_id as "accountId", reservation_id as id, object_id as "objectId", subject, bytes::text,
        to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
      from quota_reservations
      where account_id > ${after} and account_id <= ${until} and valid_from <= ${at} and valid_until > ${at}`),
  ]);
  return new Set([
    ...members.map(({ group_id, account_id }) => `member ${group_id} ${account_id}`),
    ...usage.flatMap(({ account_id, subject, bytes }) => used(account_id, subject, BigInt(bytes))),
    ...reservations.map(({ accountId, id, bytes, ...held }) =>
      reserved(accountId, id, { ...held, bytes: BigInt(bytes) }),
    ),
  ]);
}

const rule = (id: number, name: string, limit: string, subjects: readonly string[]): RowText =>
  `rule ${id}: ${name} ${limit} ${subjects.join(' ')}`;

const defaultsRow = ({ total, groups }: { total: string; groups: readonly string[] }): RowText =>
  `defaults: ${total} ${groups.join(' ')}`;

// A subject without usage has no row.
const used = (accountId: number, subject: string, bytes: bigint): RowText[] =>
  bytes === 0n ? [] : [`usage ${accountId} ${subject}: ${bytes}`];

type Reserved = Pick<OpenReservation, 'objectId' | 'subject' | 'bytes' | 'expiresAt'>;

const reserved = (
  accountId: number,
  id: string,
  { objectId, subject, bytes, expiresAt }: Reserved,
): RowText => `reservation ${accountId} ${id}: ${objectId} ${subject} ${bytes} until ${expiresAt}`;
