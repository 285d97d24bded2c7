import { hash, verify } from '@node-rs/argon2';
import { accounts } from '../projections/accounts/accounts.js';
import { accountHistory } from '../projections/accounts/account-history.js';
import { grants } from '../projections/organizations/grants.js';
import { organizationLabels } from '../projections/organizations/organization-labels.js';
import { organizations } from '../projections/organizations/organizations.js';
import { basicAuthorization } from '../src/outgoing/basic-authorization.js';
import { startFloor } from './floor/floor.js';
import { alike, startLoad, startObserver, type Request } from './harness/load.js';
import { productOf, readPaths, type ReadPath } from './harness/paths.js';
import { API, type Product } from './harness/product.js';
import type { Bench, Finding, Question } from './harness/question.js';
import { rebuilt } from './harness/rebuilt.js';
import { figure } from './harness/report.js';
import { compare } from './harness/rounds.js';
import { PASSWORD, SIGNERS } from './world/fill.js';
import type { World } from './world/worlds.js';

const STILL = 'valid_until = 9223372036854775807';

const PATHS: readonly ReadPath[] = [
  {
    what: 'members, a page of 50',
    path: ({ plan }) => `/orgs/${plan.home.name}/members?limit=50`,
    text: `select a.*, (select count(*) from organization_members where organization_id = $1) as total
      from organization_members m join accounts a on a.id = m.account_id and a.${STILL}
      where m.organization_id = $1 order by a.lower_name limit 50`,
    answers: 'rows',
    values: ({ plan }) => [plan.home.id],
  },
  {
    what: 'is a member',
    path: ({ plan }) => `/orgs/${plan.home.name}/members/${plan.user(7).name}`,
    text: `select from accounts a join organization_members m on m.account_id = a.id and m.organization_id = $1
      where a.lower_name = $2 and a.${STILL}`,
    answers: 'nothing',
    values: ({ plan }) => [plan.home.id, plan.user(7).name],
  },
];

const CLIENTS = 8;
const TIMES_EXACT = 3;
const OF_ARGON2 = 0.9;
const OF_FLOOR = 0.9;

/** Measures hundreds of thousands of users, organizations and teams. */
export const people: Question = {
  name: 'people',
  about: 'members, search and sign-in among 100,000 accounts; their read models built anew',
  async answer(bench) {
    const findings = await readPaths(bench, PATHS, { atLeast: 0.7, timesSmall: 1.2 });
    const world = await bench.world('large');
    const product = await productOf(bench, world);
    return [
      ...findings,
      await searches(bench, world, product),
      await tokens(bench, world, product),
      await passwords(bench, world, product),
      await rebuilds(bench, world),
    ];
  },
};

async function searches(bench: Bench, { plan }: World, product: Product): Promise<Finding> {
  const observe = startObserver(bench);
  const length = { seconds: bench.quick ? 1 : 4 };
  const numbers = Array.from({ length: 200 }, (_, index) => (index * 37 + 11) % plan.size.users);
  const ask = async (path: (name: string) => string) => {
    const requests = numbers.map((number) => ({
      method: 'GET' as const,
      path: `${API}${path(plan.user(number).name)}`,
    }));
    const { address: url, headers } = product;
    return (await observe({ url, headers, clients: alike(CLIENTS, ...requests), length })).p99;
  };
  const { ratio, ...p99 } = await compare(
    bench.quick ? 2 : 5,
    () => ask((name) => `/users/${name}`),
    () => ask((name) => `/users/search?q=${name.slice(2, 7)}`),
  );
  const detail = `p99 ${figure(p99.subject)} ms, of a user by name ${figure(p99.floor)} ms`;
  return { what: 'search by fragment', value: ratio, unit: '×', atMost: TIMES_EXACT, detail };
}

async function tokens(bench: Bench, world: World, product: Product): Promise<Finding> {
  const load = startLoad(bench);
  const text = `select * from accounts where id = $1 and ${STILL}`;
  const floor = await startFloor(bench, world.readUrl, [
    { method: 'GET', name: 'user', text, answers: 'row' },
  ]);
  const length = { seconds: bench.quick ? 1 : 2 };
  const { ratio, ...figures } = await compare(
    bench.quick ? 2 : 7,
    () =>
      load({
        url: floor,
        clients: alike(CLIENTS, { method: 'GET', path: `/user/${world.plan.reader.id}` }),
        length,
      }),
    () =>
      load({
        url: product.address,
        headers: product.headers,
        clients: alike(CLIENTS, { method: 'GET', path: `${API}/user` }),
        length,
      }),
  );
  const detail = `${figure(figures.subject)} requests/s, raw Koa ${figure(figures.floor)}`;
  return { what: 'sign-in by token', value: ratio, unit: '×', atLeast: OF_FLOOR, detail };
}

/** Measures first sign-ins, each of another user, because a verified password is cached. */
async function passwords(bench: Bench, { plan }: World, product: Product): Promise<Finding> {
  const load = startLoad(bench);
  const rounds = bench.quick ? 2 : 3;
  const each = Math.floor((SIGNERS - 1) / (rounds + 1) / AT_ONCE);
  const hashed = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const verifyEach = async () => {
    for (let turn = 0; turn < each; turn++) await verify(hashed, PASSWORD);
  };
  const verifyAll = async () => {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, verifyEach));
    return (AT_ONCE * each) / ((performance.now() - startedAt) / 1000);
  };
  let next = 1; // the reader has signed in
  const signIn = (): Request => {
    const authorization = basicAuthorization({ username: plan.user(next++).name, password: PASSWORD });
    return { method: 'GET', path: `${API}/user`, headers: { authorization } };
  };
  const signInAll = () =>
    load({
      url: product.address,
      clients: Array.from({ length: AT_ONCE }, () => Array.from({ length: each }, signIn)),
      length: { requests: AT_ONCE * each },
    });
  const { ratio, ...figures } = await compare(rounds, verifyAll, signInAll);
  const detail = `${figure(figures.subject)} sign-ins/s, argon2 alone ${figure(figures.floor)}`;
  return { what: 'sign-in by password', value: ratio, unit: '×', atLeast: OF_ARGON2, detail };
}

const AT_ONCE = 4;

async function rebuilds(bench: Bench, { url, peopleUntil }: World): Promise<Finding> {
  const projections = [accounts, organizations, organizationLabels, grants, accountHistory];
  const { events, eventsPerSecond } = await rebuilt(bench, url, projections, peopleUntil);
  const detail = `${figure(events)} events`;
  return { what: 'rebuild', value: eventsPerSecond, unit: 'events/s', atLeast: 40_000, detail };
}
