import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { CARRYING, carrying, DELETED, ENDED } from '../../domain/issues/issue-sets.js';
import type { PageRequest } from '../page.js';

/** The issues of a repository that carry all of these labels; of one state, or of both. */
export interface Labelled {
  readonly repositoryId: number;
  readonly labelIds: readonly number[];
  readonly isClosed: boolean | undefined;
}

/**
 * Finds them, for `with ${foundBySets(…)}` before the statements below. `found` has blocks of numbers, with a bit for
 * each, the highest first.
 */
export function foundBySets({ repositoryId, labelIds, isClosed }: Labelled): Fragment {
  const within = new Set([...labelIds.map(carrying), ...(isClosed ? [ENDED] : [])]);
  const without = isClosed === false ? ENDED : DELETED;
  return fragment`found as materialized (
    select s.block, coalesce(s.members & ~w.members, s.members) as members
    from (select block, bit_and(members) as members from issue_sets
      where repository_id = ${repositoryId} and name = any(${[...within]}::text[])
      group by block having count(*) = ${within.size}) s
    left join issue_sets w on w.repository_id = ${repositoryId} and w.name = ${without} and w.block = s.block)`;
}

/** Counts what `foundBySets` found. */
export const foundInAll = fragment`select coalesce(sum(bit_count(members)), 0)::int8 as count from found`;

/**
 * Selects the numbers of a page of what `foundBySets` found, the highest first. It cuts blocks into runs of 32 and
 * leaves out empty ones, because testing every bit of a block would take longer than all else.
 */
export const numbersFound = ({ limit, offset }: PageRequest): Fragment => fragment`
  with runs as materialized (
    select (block + 1) * length(members) - 1 - place as highest, substring(members from place + 1 for 32) as run
    from (select block, members, sum(bit_count(members)) over (order by block desc) - bit_count(members) as higher
      from found) b, generate_series(0, length(members) - 1, 32) as place
    where higher < ${limit + offset} and bit_count(substring(members from place + 1 for 32)) > 0)
  select highest - place from runs, generate_series(0, 31) as place where get_bit(run, place) = 1
  order by 1 desc limit ${limit} offset ${offset}`;

/** Counts these issues. */
export async function countLabelled(db: Queryable, labelled: Labelled): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`with ${foundBySets(labelled)} ${foundInAll}`);
  return row?.count ?? 0;
}

/** Counts, in a statement on labels `l`, the issues that carry each; `within` says which sets `s` of issues count. */
export const usesOf = (within: Fragment): Fragment => fragment`(
  select coalesce(sum(bit_count(coalesce(s.members & ~d.members, s.members))), 0)::int8
  from issue_sets s
  left join issue_sets d on d.repository_id = s.repository_id and d.name = ${DELETED} and d.block = s.block
  where s.name = ${CARRYING}::text || l.id and ${within})`;
