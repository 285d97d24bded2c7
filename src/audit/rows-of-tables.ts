import type { Queryable } from '../database/queryable.js';
import { nameOf } from '../database/sql.js';
import { STILL } from '../database/still.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Position } from '../event-store/event-store.js';
import { quotaRow, type HeldRow, type RowText } from './quota-rows.js';

/** A row as the tables hold it, and in how many rows that follow each other without a gap they say so. */
export interface StoredRow extends HeldRow {
  readonly stored: number;
}

/**
 * Reads the quota rows as they were at a position, page by page, however far the read model has got since: what began
 * later is left out, and what ended later holds until `STILL`. Positions after the end of the log are compared as they
 * are, because no event made them.
 */
export async function* rowsOfTables(
  { db, log }: { readonly db: Queryable; readonly log: Pick<EventLog, 'lastPosition'> },
  at: Position,
  pageSize: number,
): AsyncGenerator<StoredRow> {
  let last: StoredRow | undefined;
  for (const { first, page } of tables) {
    for (let after: Place | undefined = first; after;) {
      const stored: readonly Stored[] = await page(db, after, pageSize);
      const isLater = later(at, stored.some(changedAfter(at)) ? await log.lastPosition() : at);
      for (const { row, from, until } of stored) {
        if (isLater(from)) continue;
        const next = { row, from, until: isLater(until) ? STILL : until, stored: 1 };
        if (last?.row === row && last.until === from)
          last = { ...next, from: last.from, stored: last.stored + 1 };
        else {
          if (last) yield last;
          last = next;
        }
      }
      after = stored.length < pageSize ? undefined : stored.at(-1)?.place;
    }
  }
  if (last) yield last;
}

const changedAfter =
  (at: Position) =>
  ({ from, until }: HeldRow): boolean =>
    from > at || (until > at && until !== STILL);

const later =
  (at: Position, end: Position) =>
  (position: Position): boolean =>
    position > at && position <= end;

/** The primary key of a row, as text. */
type Place = readonly string[];

interface Stored extends HeldRow {
  readonly place: Place;
}

/** A table that is read in the order of its primary key, so that the rows of one thing follow each other in time. */
interface Table {
  /** The place before all rows. */
  readonly first: Place;
  readonly page: (db: Queryable, after: Place, size: number) => Promise<readonly Stored[]>;
}

/** `key` has the columns of the primary key before `valid_until`, each with its least value; `columns` are SQL. */
function table<R extends object>(
  name: string,
  key: Readonly<Record<string, string>>,
  columns: Readonly<Record<keyof R & string, string>>,
  textOf: (row: R) => RowText,
): Table {
  const primaryKey = [...Object.keys(key), 'valid_until'];
  const place = primaryKey.map((column) => `t.${column}`).join(', ');
  const selected = Object.entries<string>(columns).map(([as, expression]) => `${expression} as "${as}"`);
  const asText = primaryKey.map((column) => `t.${column}::text`).join(', ');
  const bound = primaryKey.map((_, index) => `$${index + 2}`);
  const text = `
    select ${selected.join(', ')}, valid_from::text, valid_until::text, array[${asText}] as place
    from ${name} t where (${place}) > (${bound.join(', ')}) order by ${place} limit $1`;
  return {
    first: [...Object.values(key), LEAST],
    async page(db, after, size) {
      const statement = { name: nameOf(text), text, values: [size, ...after] };
      const rows = await db.rows<R & { place: Place; valid_from: string; valid_until: string }>(statement);
      return rows.map((row) => ({
        place: row.place,
        row: textOf(row),
        from: BigInt(row.valid_from),
        until: BigInt(row.valid_until),
      }));
    },
  };
}

const LEAST = '-9223372036854775808';
const NIL = '00000000-0000-0000-0000-000000000000';

const tables: readonly Table[] = [
  table(
    'quota_rules',
    { id: LEAST },
    { id: 'id', name: 'name', limit: '"limit"::text', subjects: 'subjects' },
    quotaRow.rule,
  ),
  table('quota_groups', { id: LEAST }, { id: 'id', name: 'name' }, quotaRow.group),
  table(
    'quota_group_rules',
    { group_id: LEAST, rule_id: LEAST },
    { groupId: 'group_id', ruleId: 'rule_id' },
    quotaRow.groupRule,
  ),
  table(
    'quota_members',
    { group_id: LEAST, account_id: LEAST },
    { groupId: 'group_id', accountId: 'account_id' },
    quotaRow.member,
  ),
  table(
    'quota_defaults',
    { name: '' },
    { name: 'name', groups: 'groups', total: 'total::text' },
    quotaRow.defaults,
  ),
  table(
    'quota_usage',
    { account_id: LEAST, subject: '' },
    { accountId: 'account_id', subject: 'subject', bytes: 'bytes::text' },
    quotaRow.usage,
  ),
  table(
    'quota_reservations',
    { account_id: LEAST, reservation_id: NIL },
    {
      accountId: 'account_id',
      id: 'reservation_id',
      objectId: 'object_id',
      subject: 'subject',
      bytes: 'bytes::text',
      expiresAt: `to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    },
    quotaRow.reservation,
  ),
];
