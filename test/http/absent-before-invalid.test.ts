import { expect } from 'chai';
import { allRoutes } from '../support/all-routes.js';
import { startApi, type TestApi, type TestUser } from '../support/api.js';

/** What is there; every other part of a path names nothing. */
const THERE: Readonly<Record<string, string>> = { owner: 'ann', repo: 'project', org: 'acme' };
const NOTHING: Readonly<Record<string, string>> = { id: '999999', index: '999999' };

/** What the last part of their paths names need not be there: a file is what is made, an unknown user is 422. */
const MAKING = /^repo(Create|Update|Delete)File$|^repoAddCollaborator$/;

/** Read with a query that can be refused. */
const ASKED = /Deliveries$|Quota/;

const nameOf = (part: string) => part.replace(/[{}*]/g, '');
const routes = allRoutes.filter(
  ({ id, method, path, body, parent, access }) =>
    (method === 'GET'
      ? ASKED.test(id)
      : body !== undefined && (parent !== undefined || access.afterParent !== undefined)) &&
    !MAKING.test(id) &&
    (path.match(/\{[^}]+\}/g) ?? []).some((part) => !(nameOf(part) in THERE)),
);

describe('what a path names and is not there', () => {
  let api: TestApi;
  let ann: TestUser;

  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    expect((await ann.post('/user/repos', { name: 'project', auto_init: true })).status).to.equal(201);
    expect((await ann.post('/orgs', { username: 'acme' })).status).to.equal(201);
  });
  after(() => api.stop());

  for (const { id, method, path, body } of routes)
    it(`is 404 whatever is asked of it: ${id}`, async () => {
      const place = path.replace(/\{([^}]+)\}/g, (_, part: string) => {
        const name = nameOf(part);
        return THERE[name] ?? NOTHING[name] ?? 'absent';
      });
      const caller = /^\/(admin|users)\//.test(place) ? api.admin : ann;
      const asked = body ? place : `${place}?since=never&as_of=never`;
      const { status, text } = await caller.send(method, asked, body ? [7] : undefined);
      expect(status, `${asked}: ${text}`).to.equal(404);
    });
});
