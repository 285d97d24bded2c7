import { expect } from 'chai';
import { recordStatements } from '../event-store/postgres/statements.js';
import { startApi, type TestApi, type TestUser } from '../support/api.js';

describe('who may do what', () => {
  let api: TestApi;
  let bob: TestUser;

  before(async () => {
    api = await startApi();
    const ann = await api.createUser('ann');
    bob = await api.createUser('bob');
    await ann.post('/orgs', { username: 'acme' });
    await ann.post('/orgs/acme/repos', { name: 'code', auto_init: true, private: true });
    const rights = { name: 'readers', permission: 'read', units: ['repo.code', 'repo.issues'] };
    const team = await ann.post('/orgs/acme/teams', { ...rights, includes_all_repositories: true });
    await ann.put(`/teams/${(team.json as { id: number }).id}/members/bob`);
    await ann.post('/repos/acme/code/issues', { title: 'first' });
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
      const recorded = recordStatements();
      const { status } = await bob.get(path);
      recorded.restore();
      expect(status).to.be.oneOf([200, 204]);
      expect(recorded.texts.filter((text) => /(from|join) grants\b/.test(text))).to.have.length(1);
    });
});
