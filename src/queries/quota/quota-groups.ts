import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { together } from '../../database/together.js';
import type { AccountRow } from '../accounts/accounts.js';
import { NOW, type Moment } from '../moment.js';

/** A quota group. `id` is never given to another group; `json` is the JSON text of a QuotaGroup. */
export interface QuotaGroupRow {
  readonly id: number;
  readonly name: string;
  readonly json: string;
}

/** Finds the group with exactly this name, with its rules by name; undefined if there is none. */
export async function findQuotaGroup(
  db: Queryable,
  name: string,
  at: Moment = NOW,
): Promise<QuotaGroupRow | undefined> {
  const [row] = await db.rows<QuotaGroupRow>(sql`
    select g.id, g.name, json_build_object('name', g.name, 'rules', coalesce((
      select json_agg(json_build_object('name', r.name, 'limit', r."limit", 'subjects', r.subjects) order by r.name)
      from quota_group_rules gr join quota_rules r on r.id = gr.rule_id
      where gr.group_id = g.id and gr.valid_from <= ${at} and gr.valid_until > ${at}
        and r.valid_from <= ${at} and r.valid_until > ${at}), '[]'))::text as json
    from quota_groups g where g.name = ${name} and g.valid_from <= ${at} and g.valid_until > ${at}`);
  return row;
}

/** Lists all groups by name, with their rules by name, as the JSON text of an array of QuotaGroup. */
export async function listQuotaGroups(db: Queryable, at: Moment): Promise<string> {
  const [row] = await db.rows<{ json: string }>(sql`
    select coalesce(json_agg(json_build_object('name', g.name, 'rules', coalesce(rules.json, '[]')) order by g.name), '[]')::text
      as json
    from quota_groups g
    left join (
      select gr.group_id,
        json_agg(json_build_object('name', r.name, 'limit', r."limit", 'subjects', r.subjects) order by r.name) as json
      from quota_group_rules gr join quota_rules r on r.id = gr.rule_id
      where gr.valid_from <= ${at} and gr.valid_until > ${at} and r.valid_from <= ${at} and r.valid_until > ${at}
      group by gr.group_id) rules on rules.group_id = g.id
    where g.valid_from <= ${at} and g.valid_until > ${at}`);
  return row?.json ?? '[]';
}

/** Lists the accounts in a group, by lower-case name; those of a moment that were erased since have none, and come last. */
export const listQuotaGroupMembers = (db: Queryable, groupId: number, at: Moment): Promise<AccountRow[]> =>
  db.rows<AccountRow>(sql`
    select a.* from quota_members m
    join accounts a on a.id = m.account_id and a.valid_from <= ${at} and a.valid_until > ${at}
    where m.group_id = ${groupId} and m.valid_from <= ${at} and m.valid_until > ${at}
    order by a.lower_name, a.id`);

/** Finds the ids of those of the named groups that exist. */
export const findQuotaGroupReferences = (
  db: Queryable,
  names: readonly string[],
): Promise<{ id: number; name: string }[]> =>
  db.rows<{ id: number; name: string }>(sql`
    select id, name from quota_groups where name = any(${names}::text[]) and valid_until = ${still}`);

/** Finds the id of the group with exactly this name; undefined if none. Simultaneous calls share a query. */
export const findQuotaGroupReference = together(async (db: Queryable, names: readonly string[]) => {
  const groups = await findQuotaGroupReferences(db, names);
  return new Map(groups.map((group) => [group.name, group]));
});
