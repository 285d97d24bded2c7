import { startFloor, type FloorRoute } from './floor/floor.js';
import { startLoad, type Request } from './harness/load.js';
import { readPaths, type ReadPath } from './harness/paths.js';
import { run } from './harness/postgres.js';
import { API, startProduct } from './harness/product.js';
import type { Bench, Finding, Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { compare } from './harness/rounds.js';
import { ISSUES, KINDS, PRIORITIES, type Plan } from './world/plan.js';
import { after } from './world/story.js';
import type { World } from './world/worlds.js';

const KIND = 5;
/** How many comments are newer than the queried moment. */
const NEWER = 100;

const since = ({ plan: { size } }: World): string =>
  after((size.issues + 1) * size.commentsAnIssue - NEWER).replace('.000', '');

/** How many issues of the small world have both labels. */
const FEW = 5;

const labelled = (plan: Plan, limit: number): string =>
  `/repos/${plan.home.name}/${ISSUES}/issues?state=open&labels=${KINDS[KIND]},${PRIORITIES[0]}&limit=${limit}`;

const PATHS: readonly ReadPath[] = [
  {
    what: 'open, with two labels',
    path: ({ plan }) => labelled(plan, 50),
    alike: ({ plan }) => labelled(plan, FEW),
    text: `with found as materialized (select i.number from issues i
        join issue_labels k on k.repository_id = i.repository_id and k.number = i.number and k.label_id = $2
        join issue_labels p on p.repository_id = i.repository_id and p.number = i.number and p.label_id = $3
        where i.repository_id = $1 and not i.is_closed)
      select i.*, t.title, t.body, (select count(*) from found) as total, (select json_agg(to_json(d)) from issue_labels c
        join labels d on d.repository_id = c.repository_id and d.id = c.label_id
        where c.repository_id = i.repository_id and c.number = i.number) as labels
      from issues i join issue_texts t using (repository_id, number) where i.repository_id = $1
        and i.number in (select number from found order by number desc limit 50)
      order by i.number desc`,
    answers: 'rows',
    values: ({ plan }) => [plan.showcase.issues, plan.ids.label + KIND, plan.ids.label + KINDS.length],
  },
  {
    what: 'comments since',
    path: (world) =>
      `/repos/${world.plan.home.name}/${ISSUES}/issues/comments?since=${since(world)}&limit=50`,
    text: `select l.*, (select count(*) from issue_comments where repository_id = $1 and updated_at >= $2) as total
      from (select c.*, to_json(a) as author from issue_comments c
        join accounts a on a.id = c.author_id and a.valid_until = 9223372036854775807
        where c.repository_id = $1 and c.updated_at >= $2 order by c.id limit 50) l`,
    answers: 'rows',
    values: (world) => [world.plan.showcase.issues, since(world)],
  },
  {
    what: 'comments of one',
    path: ({ plan }) => `/repos/${plan.home.name}/${ISSUES}/issues/77/comments`,
    text: `select c.*, to_json(a) as author from issue_comments c
      join accounts a on a.id = c.author_id and a.valid_until = 9223372036854775807
      where c.repository_id = $1 and c.number = $2 order by c.id`,
    answers: 'rows',
    values: ({ plan }) => [plan.showcase.issues, 77],
  },
];

/** Measures lists in a repository of 100,000 issues and a million comments, and opening another issue. */
export const issues: Question = {
  name: 'issues',
  about: 'lists of 100,000 issues and their million comments; opening issues',
  async answer(bench) {
    return [...(await readPaths(bench, PATHS, { atLeast: 0.7, timesSmall: 2 })), ...(await opening(bench))];
  },
};

const CLIENTS = 32;

const WANTED = [
  { what: 'opening, 32 clients in 32 repositories', repositories: CLIENTS, atLeast: 0.45 },
  { what: 'opening, 32 clients in one repository', repositories: 1, atLeast: 0.08 },
];

const TABLE = `create table floor_issues
  (id int8 generated always as identity primary key, repository text not null, title text not null, body text not null)`;

const ROUTE: FloorRoute = {
  method: 'POST',
  name: 'issues',
  text: `insert into floor_issues (repository, title, body) values ($1, $2, 'what happens, and what should') returning *`,
  answers: 'row',
};

/** Measures opening issues, durable and visible on return, against a transaction of one row behind raw Koa. */
async function opening(bench: Bench): Promise<Finding[]> {
  const floorDatabase = await bench.database();
  await run(floorDatabase, TABLE);
  const floor = await startFloor(bench, floorDatabase, [ROUTE]);
  const product = await startProduct(bench, await bench.database());
  const { username } = product.user;
  for (let repository = 0; repository < CLIENTS; repository++)
    await product.send('POST', `${API}/user/repos`, { name: `repository-${repository}` });
  const load = startLoad(bench);
  const length = { seconds: bench.quick ? 1 : 2 };
  const body = { title: 'it does not work', body: 'what happens, and what should' };

  const findings: Finding[] = [];
  for (const { what, repositories, atLeast } of WANTED) {
    const clients = (path: (repository: number) => string): Request[][] =>
      Array.from({ length: CLIENTS }, (_, client) => [
        { method: 'POST', path: path(client % repositories), body },
      ]);
    const { ratio, ...figures } = await compare(
      bench.quick ? 2 : 7,
      () =>
        load({
          url: floor,
          clients: clients((repository) => `/issues/repository-${repository}/it-does-not-work`),
          length,
        }),
      () =>
        load({
          url: product.address,
          headers: product.headers,
          clients: clients((repository) => `${API}/repos/${username}/repository-${repository}/issues`),
          length,
        }),
    );
    const detail = `${figure(figures.subject)} issues/s, raw Koa ${figure(figures.floor)}`;
    findings.push({ what, value: ratio, unit: '×', atLeast, detail });
  }
  return findings;
}
