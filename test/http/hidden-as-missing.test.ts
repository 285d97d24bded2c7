import { expect } from 'chai';
import { recordStatements } from '../event-store/postgres/statements.js';
import { startApi, type TestApi, type TestUser } from '../support/api.js';

/** Below an organization, a user and a repository, hidden ones or none. */
const BELOW = {
  orgs: [
    '',
    '/members',
    '/members/bob',
    '/public_members',
    '/teams',
    '/repos',
    '/labels',
    '/hooks',
    '/quota',
  ],
  users: ['', '/repos', '/orgs', '/keys'],
  repos: [
    ...[
      '',
      '/branches',
      '/branches/main',
      '/commits',
      '/contents/README.md',
      '/issues',
      '/issues/1',
      '/labels',
    ],
    ...['/collaborators', '/forks', '/hooks', '/keys', '/commits/main/status', '/raw/README.md', '/topics'],
  ],
};

const ABOUT = /\b(?:accounts|repositories|organization_members)\b/;

/** The time of a 404 would tell that something is there, were it found in fewer steps than nothing is. */
describe('what is hidden', () => {
  let api: TestApi;
  let bob: TestUser;

  before(async () => {
    api = await startApi();
    const ann = await api.createUser('ann');
    bob = await api.createUser('bob');
    await api.createUser('shy', { visibility: 'private' });
    await ann.post('/orgs', { username: 'closed', visibility: 'private' });
    await ann.post('/user/repos', { name: 'secret', auto_init: true, private: true });
    await ann.post('/repos/ann/secret/issues', { title: 'first' });
  });
  after(() => api.stop());

  /** How many statements about accounts and what is theirs a 404 takes: the least of three, for others may ask too. */
  async function statementsOf(path: string): Promise<number> {
    const counts: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const recorded = recordStatements();
      const { status } = await bob.get(path);
      recorded.restore();
      expect(status, path).to.equal(404);
      counts.push(recorded.texts.filter((text) => ABOUT.test(text)).length);
    }
    return Math.min(...counts);
  }

  for (const [hidden, missing, below] of [
    ['/orgs/closed', '/orgs/nobody', BELOW.orgs],
    ['/users/shy', '/users/nobody', BELOW.users],
    ['/repos/ann/secret', '/repos/ann/nothing', BELOW.repos],
    ['/repos/closed/any', '/repos/nobody/any', BELOW.repos],
  ] as const)
    for (const path of below)
      it(`is looked for as long as what is not there: GET ${hidden}${path}`, async () => {
        await bob.get(hidden + path); // the caller is known then
        expect(await statementsOf(hidden + path))
          .to.be.above(0)
          .and.to.equal(await statementsOf(missing + path));
      });
});
