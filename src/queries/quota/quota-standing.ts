import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import { UNLIMITED, type QuotaGroup, type QuotaRule } from '../../domain/quota/evaluation.js';
import type { QuotaSubject, Usage } from '../../domain/quota/subjects.js';
import { parseJson } from '../../values/json.js';
import { NOW, type Moment } from '../moment.js';
import { bytesBySubject, type BytesBySubject } from './bytes-by-subject.js';
import { overdue } from './overdue-reservations.js';

/** A rule that applies to an account. `set` is the position of its last change, `added` of its addition to the group. */
type StandingRule = QuotaRule & { readonly set: bigint; readonly added: bigint };

/** A group that applies to an account. `created` is the position of its creation, `joined` that since which it applies. */
export interface StandingGroup extends QuotaGroup {
  readonly created: bigint;
  readonly joined: bigint;
  readonly rules: readonly StandingRule[];
}

/** What an account uses, the groups that it is in, and the defaults, which apply to accounts in no group. */
export interface QuotaStanding {
  readonly usage: Usage;
  /** The bytes that work under way has reserved; they count as used when more is asked for. */
  readonly reserved: Usage;
  readonly own: readonly StandingGroup[];
  readonly defaults: {
    readonly groups: readonly StandingGroup[];
    readonly total: bigint;
    /** The position at which the defaults were recorded; undefined if they never were. */
    readonly set: bigint | undefined;
  };
}

interface StandingRow {
  readonly usage: BytesBySubject;
  readonly reserved: BytesBySubject;
  readonly own: string;
  readonly default_groups: string;
  readonly total: string | null;
  readonly defaults_set: number | bigint | null;
}

/**
 * Finds the standing of an account, with groups and their rules by name. An account without quota events uses nothing
 * and is in no group. At present, reservations whose lease ran out by the clock of this process are left out, as in the
 * decisions about what may be stored. `isPresent` tells of a position that it was the last one a moment ago.
 */
export async function findQuotaStanding(
  db: Queryable,
  accountId: number,
  at: Moment = NOW,
  isPresent = at === NOW,
): Promise<QuotaStanding> {
  const [row] = await db.rows<StandingRow>(sql`
    with defaults as (
      select groups, total, valid_from from quota_defaults where valid_from <= ${at} and valid_until > ${at}
    ), grouped as (
      select g.id, g.name, json_build_object('name', g.name, 'created', g.valid_from,
        'joined', coalesce(m.valid_from, greatest(g.valid_from, (select valid_from from defaults))), 'rules', coalesce((
        select json_agg(json_build_object('name', r.name, 'limit', r."limit", 'subjects', r.subjects,
          'set', r.valid_from, 'added', gr.valid_from) order by r.name)
        from quota_group_rules gr join quota_rules r on r.id = gr.rule_id
        where gr.group_id = g.id and gr.valid_from <= ${at} and gr.valid_until > ${at}
          and r.valid_from <= ${at} and r.valid_until > ${at}), '[]')) as json,
        m.account_id is not null as own
      from quota_groups g
      left join quota_members m on m.group_id = g.id and m.account_id = ${accountId}
        and m.valid_from <= ${at} and m.valid_until > ${at}
      where g.valid_from <= ${at} and g.valid_until > ${at}
        and (m.account_id is not null or g.name = any(select unnest(groups) from defaults))
    )
    select
      (select coalesce(json_object_agg(subject, bytes::text), '{}') from quota_usage
        where account_id = ${accountId} and valid_from <= ${at} and valid_until > ${at}) as usage,
      (select coalesce(json_object_agg(subject, bytes), '{}') from (
        select subject, sum(bytes)::text as bytes from quota_reservations
        where account_id = ${accountId} and valid_from <= ${at} and valid_until > ${at}
          and (${!isPresent} or not ${overdue(new Date())})
        group by subject) r) as reserved,
      (select coalesce(json_agg(json order by name), '[]')::text from grouped where own) as own,
      (select coalesce(json_agg(json order by name), '[]')::text from grouped where name = any(
        select unnest(groups) from defaults)) as default_groups,
      (select total::text from defaults) as total,
      (select valid_from from defaults) as defaults_set`);
  if (!row) throw new Error('a select without from gave no row');
  return {
    usage: bytesBySubject(row.usage),
    reserved: bytesBySubject(row.reserved),
    own: parseGroups(row.own),
    defaults: {
      groups: parseGroups(row.default_groups),
      total: row.total === null ? UNLIMITED : BigInt(row.total),
      set: row.defaults_set === null ? undefined : BigInt(row.defaults_set),
    },
  };
}

interface JsonGroup {
  readonly name: string;
  readonly created: number | bigint;
  readonly joined: number | bigint;
  readonly rules: readonly {
    readonly name: string;
    readonly limit: number | bigint;
    readonly subjects: readonly QuotaSubject[];
    readonly set: number | bigint;
    readonly added: number | bigint;
  }[];
}

const parseGroups = (json: string): readonly StandingGroup[] =>
  (parseJson(json) as readonly JsonGroup[]).map(({ name, created, joined, rules }) => ({
    name,
    created: BigInt(created),
    joined: BigInt(joined),
    rules: rules.map(({ name, limit, subjects, set, added }) => ({
      name,
      limit: BigInt(limit),
      subjects,
      set: BigInt(set),
      added: BigInt(added),
    })),
  }));
