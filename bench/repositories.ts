import { readPaths, type ReadPath } from './harness/paths.js';
import { API, startProduct } from './harness/product.js';
import type { Bench, Finding, Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { median, rate } from './harness/rounds.js';
import { BRANCHES } from './world/plan.js';
import { wordOf } from './world/words.js';
import type { World } from './world/worlds.js';

const STILL = 'valid_until = 9223372036854775807';
const PUBLIC_OWNER = `r.owner_id not in (select id from accounts where ${STILL} and visibility <> 'public')`;
const WITH_OWNER = `select r.*, to_json(o) as owner from repositories r
  join accounts o on o.id = r.owner_id and o.${STILL}`;

/** Part of the name of a repository that everybody sees. */
const fragmentOf = ({ plan }: World): string => wordOf(plan.public).slice(1, 7);

const PATHS: readonly ReadPath[] = [
  {
    what: 'one repository',
    path: ({ plan }) => `/repos/${plan.home.name}/listed-7`,
    text: `${WITH_OWNER} where o.lower_name = $1 and r.lower_name = $2`,
    answers: 'row',
    values: ({ plan }) => [plan.home.name, 'listed-7'],
  },
  {
    what: 'list of 50',
    path: ({ plan }) => `/orgs/${plan.home.name}/repos?limit=50`,
    text: `select l.*, (select count(*) from repositories where owner_id = $1) as total
      from (${WITH_OWNER} where r.owner_id = $1 order by r.id limit 50) l`,
    answers: 'rows',
    values: ({ plan }) => [plan.home.id],
  },
  {
    what: 'search by fragment',
    path: (world) => `/repos/search?q=${fragmentOf(world)}&limit=50`,
    text: `with found as materialized (select r.id from repositories r
        where (r.lower_name || E'\\n' || r.topic_text) like '%' || $1 || '%' and not r.is_private and ${PUBLIC_OWNER})
      select l.*, (select count(*) from found) as total
      from (${WITH_OWNER} where r.id in (select id from found) order by r.lower_name, r.id limit 50) l`,
    answers: 'rows',
    values: (world) => [fragmentOf(world)],
  },
  {
    what: 'search by user',
    path: ({ plan }) => `/repos/search?uid=${plan.reader.id}&limit=50`,
    text: `with found as materialized (
        select id from repositories where owner_id = $1
        union select object_id from grants
        where principal_kind = 'account' and principal_id = $1 and object_kind = 'repository'
        union select g.object_id from team_members m join grants g
        on g.principal_kind = 'team' and g.principal_id = m.team_id and g.object_kind = 'repository'
        where m.account_id = $1)
      select l.*, (select count(*) from found) as total
      from (${WITH_OWNER} where r.id in (select id from found) order by r.lower_name, r.id limit 50) l`,
    answers: 'rows',
    values: ({ plan }) => [plan.reader.id],
  },
];

/** The repository has no objects on disk, so that an answer proves that git was not called. */
const BRANCH_PATHS: readonly ReadPath[] = [
  {
    what: 'branches, 50 of 4,000',
    path: ({ plan }) => `/repos/${plan.home.name}/${BRANCHES}/branches?limit=50`,
    text: `select b.short_name, c.facts,
        (select count(*) from refs where repository_id = $1 and kind = 'branch') as total
      from (select short_name, hash from refs where repository_id = $1 and kind = 'branch'
        order by committed_at desc nulls last, short_name limit 50) b
      join cache.commits c on c.hash = decode(b.hash, 'hex')`,
    answers: 'rows',
    values: ({ plan }) => [plan.showcase.branches],
  },
];

/** Measures one repository among 100,000, and lists of 50 of the 23,000 that the caller may see. */
export const repositories: Question = {
  name: 'repositories',
  about: 'one, lists, searches and branches among 100,000 repositories; creating them',
  async answer(bench) {
    const paths = [...PATHS, ...BRANCH_PATHS];
    return [...(await readPaths(bench, paths, { atLeast: 0.7, timesSmall: 2 })), await creation(bench)];
  },
};

const CREATORS = 8;
const CREATIONS_A_SECOND = 60;

/** Measures creating repositories, each with a first commit, on disk and in the log when the request is answered. */
async function creation(bench: Bench): Promise<Finding> {
  const product = await startProduct(bench, await bench.database());
  let next = 0;
  const create = () =>
    product.send('POST', `${API}/user/repos`, { name: `created-${next++}`, auto_init: true });
  const rates: number[] = [];
  for (let round = 0; round <= (bench.quick ? 2 : 5); round++)
    rates.push(await rate(CREATORS, bench.quick ? 1 : 3, create));
  const value = median(rates.slice(1)); // the first one warms up
  const detail = `${figure(next)} with a first commit, ${CREATORS} clients`;
  return { what: 'creation', value, unit: 'repositories/s', atLeast: CREATIONS_A_SECOND, detail };
}
