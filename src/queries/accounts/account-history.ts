import type { Queryable } from '../../database/queryable.js';
import { fragment } from '../../database/sql.js';
import { listChanges } from '../changes.js';
import { allOf, where } from '../conditions.js';
import type { Moment } from '../moment.js';
import type { PageRequest } from '../page.js';

/** The changes to list. Fields that are null do not filter. */
export interface AccountHistoryFilter {
  /** The user or organization that was changed. */
  readonly subjectId: number | null;
  readonly actorId: number | null;
  /** Both inclusive, by the log's clock. */
  readonly since: Date | null;
  readonly until: Date | null;
  /** Changes after this position are left out, so that the pages of one listing do not shift. */
  readonly at: Moment;
}

const matching = ({ subjectId, actorId, since, until, at }: AccountHistoryFilter) =>
  allOf(
    fragment`position <= ${at}`,
    where(subjectId, (id) => fragment`account_ids @> array[${id}::int8]`),
    where(actorId, (id) => fragment`actor_id = ${id}`),
    where(since, (time) => fragment`recorded_at >= ${time}`),
    where(until, (time) => fragment`recorded_at <= ${time}`),
  );

/** Lists the matching changes, newest first, as the JSON text of an array. Accounts have their names of that time. */
export const listAccountHistory = (
  db: Queryable,
  filter: AccountHistoryFilter,
  part: PageRequest,
): Promise<readonly [json: string, total: number]> =>
  listChanges(db, part, {
    table: fragment`account_changes`,
    matching: matching(filter),
    isRare: filter.subjectId !== null,
    fields: fragment`
      'subjects', (
        select json_agg(json_build_object('id', s.id, 'name', (
          select a.name from accounts a where a.id = s.id
          order by a.valid_from <= c.position desc, abs(a.valid_from - c.position) limit 1)) order by s.place)
        from unnest(c.account_ids) with ordinality s (id, place))`,
  });
