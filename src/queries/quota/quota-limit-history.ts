import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import type { LimitHistory } from '../../domain/quota/limits-over-time.js';
import type { QuotaSubject } from '../../domain/quota/subjects.js';

interface SpanRow {
  readonly valid_from: number | bigint;
  readonly valid_until: number | bigint;
}

const spanOf = ({ valid_from, valid_until }: SpanRow) => ({
  from: BigInt(valid_from),
  until: BigInt(valid_until),
});

/** Finds everything that ever limited an account. */
export async function findLimitHistory(db: Queryable, accountId: number): Promise<LimitHistory> {
  type GroupRow = SpanRow & { readonly id: number; readonly name: string };
  const groupOf = (row: GroupRow) => ({ id: row.id, name: row.name, ...spanOf(row) });
  const [[account], own, defaults, defaultGroups] = await Promise.all([
    db.rows<{ created: number | bigint | null }>(sql`
      select min(valid_from) as created from accounts where id = ${accountId}`),
    db.rows<GroupRow>(sql`
      select g.id, g.name, greatest(m.valid_from, g.valid_from) as valid_from,
        least(m.valid_until, g.valid_until) as valid_until
      from quota_members m
      join quota_groups g on g.id = m.group_id and g.valid_from < m.valid_until and g.valid_until > m.valid_from
      where m.account_id = ${accountId}`),
    db.rows<SpanRow & { readonly groups: readonly string[]; readonly total: number | bigint }>(sql`
      select groups, total, valid_from, valid_until from quota_defaults`),
    db.rows<GroupRow>(sql`
      select id, name, valid_from, valid_until from quota_groups
      where name in (select unnest(groups) from quota_defaults)`),
  ]);
  const ids = [...own, ...defaultGroups].map(({ id }) => id);
  type RuleRow = SpanRow & {
    readonly group_id: number;
    readonly name: string;
    readonly limit: number | bigint;
    readonly subjects: readonly QuotaSubject[];
  };
  const rules = await db.rows<RuleRow>(sql`
    select gr.group_id, r.name, r."limit", r.subjects, greatest(gr.valid_from, r.valid_from) as valid_from,
      least(gr.valid_until, r.valid_until) as valid_until
    from quota_group_rules gr
    join quota_rules r on r.id = gr.rule_id and r.valid_from < gr.valid_until and r.valid_until > gr.valid_from
    where gr.group_id = any(${ids}::int8[])`);
  return {
    created: BigInt(account?.created ?? 0),
    own: own.map(groupOf),
    defaults: defaults.map((row) => ({ groups: row.groups, total: BigInt(row.total), ...spanOf(row) })),
    defaultGroups: defaultGroups.map(groupOf),
    rules: rules.map((row) => ({
      groupId: row.group_id,
      name: row.name,
      limit: BigInt(row.limit),
      subjects: row.subjects,
      ...spanOf(row),
    })),
  };
}
