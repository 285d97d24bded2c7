import { expect } from 'chai';
import { readConfig } from '../../../src/config.js';
import type { Route } from '../../../src/http/route.js';
import { routesFor } from '../../../src/http/routes.js';
import type { TestAnswer } from '../../support/client.js';
import { cellsOf, parametersOf, pathOf, type Cell } from './cells.js';
import { ELSEWHERE } from './furnish.js';
import { siteAdministrators } from './policy.js';
import type { Row } from './row.js';
import { rows } from './rows.js';
import { scopesFor } from './scopes.js';
import { createWorld, type World } from './world.js';

const routes = routesFor(readConfig({}));

describe('the authorisation matrix', () => {
  let world: World;
  const matrix = routes.flatMap((route) => {
    const row = rows[route.id];
    return row ? [{ route, row, ...cellsOf(route, row) }] : [];
  });

  before(async () => {
    const plain = matrix.flatMap((operation) => operation.plain).length;
    const further = matrix.flatMap((operation) => operation.further).length;
    const callers = plain / matrix.length;
    console.log(`    ${matrix.length} operations × ${callers} callers = ${plain} cells, and ${further} more`);
    world = await createWorld();
  });
  after(() => world.api.stop());

  it('has a row for each operation', () => {
    const ids = routes.map(({ id }) => id);
    const withoutRow = ids.filter((id) => !(id in rows));
    const withoutOperation = Object.keys(rows).filter((id) => !ids.includes(id));
    expect({ withoutRow, withoutOperation }).to.deep.equal({ withoutRow: [], withoutOperation: [] });
  });

  it('asks of tokens the scopes of the table', () => {
    for (const { id, path, scopes } of routes) expect(scopes, id).to.have.members([...scopesFor(path)]);
  });

  it('lets none but site administrators in below /admin', () => {
    for (const { id } of routes.filter(({ path }) => path.startsWith('/admin/')))
      expect(rows[id]?.policy, id).to.equal(siteAdministrators);
  });

  it('asks for what another parent has wherever one has something', () => {
    const unasked = matrix.filter(({ route, row: { elsewhere = {}, others = [] } }) => {
      const asked = [...Object.keys(elsewhere), ...others.flatMap(({ names }) => Object.keys(names(world)))];
      return parametersOf(route).some((name) => isHad(route, name) && !asked.includes(name));
    });
    expect(unasked.map(({ route }) => route.id)).to.deep.equal([]);
  });

  for (const { route, row, plain, further } of matrix) {
    const cells = [...plain, ...further];

    it(`${route.id}: ${cells.length} cells`, async () => {
      const answers: Record<string, string> = {};
      const bodies: Record<string, string> = {};
      const ask = async (cell: Cell) => {
        const answer = await answerTo(route, row, cell);
        answers[nameOf(cell)] = told(route, answer);
        bodies[nameOf(cell)] = answer.text;
      };
      const { store } = world.api.connections;
      const before = await store.lastPosition();
      const writes = cells.filter(({ outcome }) => outcome === 'success' && route.method !== 'GET');
      await Promise.all(cells.filter((cell) => !writes.includes(cell)).map(ask));
      const after = await store.lastPosition();
      for (const cell of writes) await ask(cell);

      const expected = cells.map((cell) => [nameOf(cell), expectedOf(route, cell)] as const);
      expect(answers).to.deep.equal(Object.fromEntries(expected));
      for (const { caller, what, like } of cells) {
        const name = nameOf({ caller, what });
        if (like) expect(bodies[name], name).to.equal(bodies[nameOf({ caller, what: like })]);
      }
      expect(after, 'reads and refused writes add no event').to.equal(before);
    });
  }

  it('leaves what other parents have where it is', async () => {
    const { api, labels, keys, elsewhere } = world;
    const { other, rivals } = elsewhere.hooks;
    const at = '/repos/acme/other';
    const kept: readonly (readonly [string, string?])[] = [
      [`/orgs/rivals/labels/${labels.rivals}`],
      [`/orgs/rivals/hooks/${rivals.id}/deliveries/${rivals.delivery}`],
      ['/orgs/rivals/teams', `"${ELSEWHERE}"`],
      [`${at}/hooks/${other.id}/deliveries/${other.delivery}`],
      [`${at}/labels/${elsewhere.label}`],
      [`${at}/milestones/${elsewhere.milestone}`],
      [`${at}/issues/comments/${elsewhere.comment}`],
      [`${at}/keys/${elsewhere.deployKey}`],
      ...['branches', 'tags', 'contents', 'branch_protections'].map(
        (of) => [`${at}/${of}/${ELSEWHERE}`] as const,
      ),
      [`${at}/topics`, `"${ELSEWHERE}"`],
      ['/admin/quota/groups/silver', '"large"'],
      ['/admin/quota/groups/silver/users', '"stranger"'],
      ['/users/owner/keys', `"id":${keys.owner},`],
      ['/users/owner/tokens', `"id":${elsewhere.token},`],
    ];
    for (const [path, text = ''] of kept) {
      const answer = await api.admin.get(path);
      expect([answer.status, answer.text.replaceAll(/\s*:\s*/g, ':').includes(text)], path).to.deep.equal([
        200,
        true,
      ]);
    }
  });

  async function answerTo(route: Route, row: Row, { caller, names, outcome }: Cell): Promise<TestAnswer> {
    const { query = '', body } = row;
    const sender = world.callers[caller.name];
    const all = {
      ...world.names,
      ...row.names?.(world),
      ...(outcome === 'success' && (await row.fresh?.(world, sender))),
      ...names(world),
    };
    return sender.send(route.method, pathOf(route, all) + query, body?.(world.unique(), all));
  }
});

/** Where a path begins with what is below nothing, but for hooks: those of one place are nothing to the others. */
const BELOW_NOTHING =
  /^\/(orgs?|users|teams|repositories|admin\/quota\/\w+|admin\/users|user\/keys|\w+\/templates|licenses)\/\{\w+\}/;

/**
 * Not had by what the path names before: users, and numbers, paths and revisions that each repository has of its own;
 * what is put to something without being below it.
 */
const HAD_BY_NOBODY = ['owner', 'repo', 'org', 'username', 'collaborator', 'index', 'filepath', 'sha', 'ref'];
const PUT_TO = ['adminAddRuleToQuotaGroup', 'repoAddTopic'];

/** Whether a parameter names what something else in the path has. */
const isHad = ({ id, path }: Route, parameter: string): boolean =>
  path.replace(BELOW_NOTHING, '').includes(`{${parameter}`) &&
  !HAD_BY_NOBODY.includes(parameter) &&
  !PUT_TO.includes(id);

const nameOf = ({ caller, what }: Pick<Cell, 'caller' | 'what'>) =>
  what ? `${caller.name}, ${what}` : caller.name;

/**
 * The status and, for a success whose body is not as the route declares it, why not. Any success that the route declares
 * is told as its first: which one it is does not hang on who may call.
 */
function told({ success, answers }: Route, { status, headers, json, text }: TestAnswer): string {
  const body = headers.get('content-type')?.startsWith('text/html') ? text : json;
  const parsed = status < 300 ? answers[status]?.safeParse(body) : undefined;
  if (parsed?.success === false) return `${status} ${text}: ${parsed.error.message}`;
  return String(parsed ? success : status);
}

/** What the route declares that it answers; 401 and 403 need not be declared. */
function expectedOf({ id, success, answers }: Route, { outcome }: Cell): string {
  const status = outcome === 'success' ? success : outcome;
  const isDeclared = status === 401 || status === 403 || status in answers;
  if (!isDeclared) throw new Error(`${id} does not declare that it answers ${status}`);
  return String(status);
}
