import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import { NOW, type Moment } from '../moment.js';

/** Lists all rules by name, as the JSON text of an array of QuotaRuleInfo. */
export async function listQuotaRules(db: Queryable, at: Moment): Promise<string> {
  const [row] = await db.rows<{ json: string }>(sql`
    select coalesce(json_agg(json_build_object('name', name, 'limit', "limit", 'subjects', subjects) order by name), '[]')::text
      as json
    from quota_rules where valid_from <= ${at} and valid_until > ${at}`);
  return row?.json ?? '[]';
}

/** Finds the rule with exactly this name, as the JSON text of a QuotaRuleInfo; undefined if there is none. */
export async function findQuotaRule(
  db: Queryable,
  name: string,
  at: Moment = NOW,
): Promise<string | undefined> {
  const [row] = await db.rows<{ json: string }>(sql`
    select json_build_object('name', name, 'limit', "limit", 'subjects', subjects)::text as json
    from quota_rules where name = ${name} and valid_from <= ${at} and valid_until > ${at}`);
  return row?.json;
}
