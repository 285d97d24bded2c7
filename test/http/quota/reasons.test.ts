import { expect } from 'chai';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';
import type { Client, TestAnswer } from '../../support/client.js';
import { allRoutes } from '../../support/all-routes.js';
import { startGitServer, type GitServer } from '../../support/git-server.js';

/** These answer 413 to a text that is larger than allowed, which is no matter of quotas. */
const TOO_LARGE_ALONE = [
  ...['renderMarkdown', 'renderMarkdownRaw', 'renderMarkup'],
  ...['repoRenderMarkdown', 'repoRenderMarkdownRaw'],
];

const NOTES = '/repos/poor/notes';
const FILE = { content: 'eA==' };

describe('the reason of a refusal', () => {
  let api: TestApi;
  let server: GitServer;
  let poor: TestUser;
  let sha: string;

  before(async () => {
    [api, server] = await Promise.all([startApi({ config: { allowLocalNetworks: true } }), startGitServer()]);
    const giver = await api.createUser('giver');
    poor = await api.createUser('poor');
    await made(poor.post('/orgs', { username: 'works' }));
    await made(poor.post('/user/repos', { name: 'notes', auto_init: true }));
    await made(giver.post('/user/repos', { name: 'gift', auto_init: true }));
    await made(giver.post('/user/repos', { name: 'base', auto_init: true, template: true }));
    await made(giver.post('/repos/giver/gift/transfer', { new_owner: 'poor' }));
    await server.commit('up.git', 'main', 'README.md', 'hello');
    const mirror = { clone_addr: `${server.url}/up.git`, repo_name: 'mirror', mirror: true };
    await made(poor.post('/repos/migrate', mirror));
    await server.commit('up.git', 'main', 'more', 'of it');
    ({ sha } = (await poor.get(`${NOTES}/contents/README.md`)).json as { sha: string });

    const rules = [{ name: 'nothing more', limit: 0, subjects: ['size:all'] }];
    await made(api.admin.post('/admin/quota/groups', { name: 'full', rules }));
    for (const name of ['poor', 'works']) await made(api.admin.put(`/admin/quota/groups/full/users/${name}`));
  });
  after(() => Promise.all([api.stop(), server.stop()]));

  const made = async (answer: Promise<TestAnswer>) => {
    const { status, text } = await answer;
    expect(status, text).to.be.within(200, 299);
  };

  /** What each route refuses, by its operation id, and whose room it is. */
  const REFUSED: Readonly<
    Record<string, readonly [owner: string, ask: (client: Client) => Promise<TestAnswer>]>
  > = {
    createCurrentUserRepo: ['poor', (client) => client.post('/user/repos', { name: 'new' })],
    createOrgRepo: ['works', (client) => client.post('/org/works/repos', { name: 'new' })],
    orgCreateRepo: ['works', (client) => client.post('/orgs/works/repos', { name: 'new' })],
    adminCreateRepo: ['poor', () => api.admin.post('/admin/users/poor/repos', { name: 'new' })],
    repoMigrate: [
      'poor',
      (client) =>
        client.post('/repos/migrate', { clone_addr: `${server.url}/up.git`, repo_name: 'migrated' }),
    ],
    repoMirrorSync: ['poor', (client) => client.post('/repos/poor/mirror/mirror-sync')],
    repoCreateBranch: ['poor', (client) => client.post(`${NOTES}/branches`, { new_branch_name: 'topic' })],
    repoCreateTag: ['poor', (client) => client.post(`${NOTES}/tags`, { tag_name: 'v1' })],
    repoCreateFile: ['poor', (client) => client.post(`${NOTES}/contents/new`, FILE)],
    repoUpdateFile: ['poor', (client) => client.put(`${NOTES}/contents/README.md`, { ...FILE, sha })],
    repoDeleteFile: ['poor', (client) => client.delete(`${NOTES}/contents/README.md`, { sha })],
    repoChangeFiles: [
      'poor',
      (client) =>
        client.post(`${NOTES}/contents`, { files: [{ operation: 'create', path: 'new', ...FILE }] }),
    ],
    repoTransfer: ['works', (client) => client.post(`${NOTES}/transfer`, { new_owner: 'works' })],
    acceptRepoTransfer: ['poor', (client) => client.post('/repos/giver/gift/transfer/accept')],
    generateRepo: [
      'poor',
      (client) =>
        client.post('/repos/giver/base/generate', { owner: 'poor', name: 'new', git_content: true }),
    ],
    createFork: ['poor', (client) => client.post('/repos/giver/base/forks', {})],
  };

  it('is asked of every route that may refuse', () => {
    const refusing = allRoutes.filter(({ answers }) => 413 in answers).map(({ id }) => id);
    expect([...Object.keys(REFUSED), ...TOO_LARGE_ALONE]).to.have.members(refusing);
  });

  for (const [id, [owner, ask]] of Object.entries(REFUSED))
    it(`is whole, and explained at its address: ${id}`, async () => {
      const { status, json, text } = await ask(poor);
      expect(status, text).to.equal(413);
      const { reason, ...told } = json as { reason: Record<string, unknown>; username: string };
      expect(told).to.have.all.keys('message', 'user_id', 'username');
      expect(told.username).to.equal(owner);
      expect(reason).to.have.all.keys(
        ...['group', 'rule', 'subject', 'limit', 'used', 'incoming', 'position', 'explain'],
      );
      expect(reason).to.include({ group: 'full', rule: 'nothing more', limit: 0 });
      expect(reason.subject).to.equal('size:repos:public');
      expect(reason.used).to.be.a('number');
      const address = String(reason.explain).replace(`${api.url()}/api/v1`, '');
      expect((await api.admin.get(address)).json).to.deep.include({
        allowed: false,
        subject: reason.subject,
        position: reason.position,
        decided_by: { group: 'full', rule: 'nothing more' },
      });
    });
});
