import { expect } from 'chai';
import { recordStatements } from '../event-store/postgres/statements.js';
import { startApi, type TestApi, type TestUser } from '../support/api.js';

describe('who may do what', () => {
  let api: TestApi;
  let ann: TestUser;
  let bob: TestUser;

  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    bob = await api.createUser('bob');
    await ann.post('/orgs', { username: 'acme' });
    await ann.post('/orgs/acme/repos', { name: 'code', auto_init: true, private: true });
    const rights = { name: 'writers', permission: 'write', units: ['repo.code', 'repo.issues'] };
    const team = await ann.post('/orgs/acme/teams', { ...rights, includes_all_repositories: true });
    await ann.put(`/teams/${(team.json as { id: number }).id}/members/bob`);
    await ann.post('/repos/acme/code/issues', { title: 'first' });
    await ann.get('/user');
  });
  after(() => api.stop());

  for (const path of [
    '/orgs/acme',
    '/orgs/acme/members',
    '/orgs/acme/members/bob',
    '/orgs/acme/teams',
    ...['', '/branches', '/branches/main', '/commits', '/contents/README.md', '/issues', '/issues/1'].map(
      (below) => `/repos/acme/code${below}`,
    ),
  ])
    it(`is one look at the grants: GET ${path}`, async () => {
      await bob.get(path); // the caller is known then
      expect(await looksOf(bob, 'GET', path)).to.equal(1);
    });

  for (const [who, method, path, body] of [
    ['bob', 'POST', '/repos/acme/code/issues', { title: 'second' }],
    ['bob', 'PATCH', '/repos/acme/code/issues/1', { title: 'changed' }],
    ['bob', 'POST', '/repos/acme/code/issues/1/comments', { body: 'said' }],
    ['bob', 'POST', '/repos/acme/code/labels', { name: 'bug', color: 'fff' }],
    ['bob', 'POST', '/repos/acme/code/issues/1/labels', { labels: ['bug'] }],
    ['ann', 'PUT', '/repos/acme/code/collaborators/bob', { permission: 'read' }],
    ['ann', 'POST', '/repos/acme/code/branch_protections', { rule_name: 'main' }],
    ['ann', 'PATCH', '/orgs/acme', { description: 'changed' }],
    ['ann', 'POST', '/orgs/acme/teams', { name: 'others', units: ['repo.code'] }],
    ['ann', 'POST', '/orgs/acme/labels', { name: 'bug', color: 'fff' }],
    ['ann', 'DELETE', '/orgs/acme/members/bob'],
    ['ann', 'DELETE', '/repos/acme/code'],
  ] as const)
    it(`is one look at the grants: ${method} ${path}`, async () => {
      expect(await looksOf(who === 'ann' ? ann : bob, method, path, body)).to.equal(1);
    });

  /** How many statements of a request that succeeds look at grants. */
  async function looksOf(caller: TestUser, method: string, path: string, body?: object): Promise<number> {
    const recorded = recordStatements();
    const { status, text } = await caller.send(method, path, body);
    recorded.restore();
    expect(status, text).to.be.below(300);
    return recorded.texts.filter((statement) => /(from|join) grants\b/.test(statement)).length;
  }
});
