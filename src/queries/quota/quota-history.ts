import type { Queryable } from '../../database/queryable.js';
import { fragment } from '../../database/sql.js';
import { listChanges } from '../changes.js';
import { allOf, where } from '../conditions.js';
import type { Moment } from '../moment.js';
import type { PageRequest } from '../page.js';

/** The changes to list. Fields that are null do not filter. */
export interface QuotaHistoryFilter {
  readonly accountId: number | null;
  readonly group: string | null;
  readonly rule: string | null;
  /** Both inclusive, by the log's clock. */
  readonly since: Date | null;
  readonly until: Date | null;
  /** Changes after this position are left out, so that the pages of one listing do not shift. */
  readonly at: Moment;
}

const matching = ({ accountId, group, rule, since, until, at }: QuotaHistoryFilter) =>
  allOf(
    fragment`position <= ${at}`,
    where(accountId, (id) => fragment`account_id = ${id}`),
    where(group, (name) => fragment`"groups" @> array[${name}::text]`),
    where(rule, (name) => fragment`"rules" @> array[${name}::text]`),
    where(since, (time) => fragment`recorded_at >= ${time}`),
    where(until, (time) => fragment`recorded_at <= ${time}`),
  );

/** Lists the matching changes, newest first, as the JSON text of an array. Users have their names of that time. */
export const listQuotaHistory = (
  db: Queryable,
  filter: QuotaHistoryFilter,
  part: PageRequest,
): Promise<readonly [json: string, total: number]> =>
  listChanges(db, part, {
    table: fragment`quota_changes`,
    matching: matching(filter),
    isRare: filter.group !== null || filter.rule !== null,
    fields: fragment`
      'user', case when c.account_id is not null then json_build_object('id', c.account_id, 'name', (
        select a.name from accounts a
        where a.id = c.account_id and a.valid_from <= c.position and a.valid_until > c.position)) end,
      'groups', c."groups",
      'rules', c."rules"`,
  });
