import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { newKey } from '../support/public-keys.js';

const MAIL = 'ben@example.org';
const NAMED = 'already exists';

/** What was made before, asked for once more: where, with what, and the words by which clients know that it is there. */
const AGAIN: readonly (readonly [what: string, path: string, body: object, words: string])[] = [
  ['user', '/admin/users', { username: 'Ben', email: 'other@example.org', password: 'a password' }, NAMED],
  [
    'e-mail',
    '/admin/users',
    { username: 'eve', email: MAIL, password: 'a password' },
    'e-mail already in use',
  ],
  ['organization', '/orgs', { username: 'Acme' }, NAMED],
  ['team', '/orgs/acme/teams', { name: 'crew', permission: 'admin' }, NAMED],
  ['repository', '/orgs/acme/repos', { name: 'project', auto_init: true }, NAMED],
  ['branch', '/repos/acme/project/branches', { new_branch_name: 'side' }, 'The branch already exists.'],
  [
    'fork',
    '/repos/acme/project/forks',
    { name: 'copy' },
    'repository is already forked by user [uname: root, repo path: Acme/project, fork path: root/copy]',
  ],
  ['tag', '/repos/acme/project/tags', { tag_name: 'v1' }, NAMED],
  ['file', '/repos/acme/project/contents/a.txt', { content: '' }, NAMED],
  ['key', '/user/keys', { title: 'other', key: newKey() }, 'Key content has been used as non-deploy key'],
  [
    'deploy key',
    '/repos/acme/project/keys',
    { title: 'deploy', key: newKey() },
    'This key has already been added to this repository',
  ],
  [
    'access token',
    '/users/root/tokens',
    { name: 'token', scopes: ['all'] },
    'access token name has been used already',
  ],
  ['rule of branches', '/repos/acme/project/branch_protections', { rule_name: 'main' }, NAMED],
  ['quota rule', '/admin/quota/rules', { name: 'small', limit: 1, subjects: ['size:all'] }, NAMED],
  ['quota group', '/admin/quota/groups', { name: 'guests' }, NAMED],
];

describe('what is made once more', () => {
  let api: TestApi;
  let admin: Client;

  before(async () => {
    api = await startApi();
    admin = api.admin;
    await admin.post('/admin/users', {
      username: 'ben',
      email: MAIL,
      password: 'a password',
      must_change_password: false,
    });
  });
  after(() => api.stop());

  for (const [what, path, body, words] of AGAIN)
    it(`is refused in the words that clients look for: ${what}`, async () => {
      await admin.post(path, body);
      const { status, message } = await admin.post(path, body);
      expect(status).to.be.oneOf([400, 403, 409, 422]);
      expect(message).to.contain(words);
    });

  it('names a fork by what its owner is called now', async () => {
    const owner = await api.createUser('before');
    await admin.post('/user/repos', { name: 'base', auto_init: true });
    const forks = '/repos/root/base/forks';
    expect((await owner.post(forks, {})).status).to.equal(202);
    expect((await admin.post('/admin/users/before/rename', { new_username: 'after' })).status).to.equal(204);
    const renamed = api.as({ username: 'after', password: 'correct horse' });
    const { message } = await renamed.post(forks, { name: 'other' });
    expect(message).to.contain('[uname: after, repo path: root/base, fork path: after/base]');
  });

  it('does not name a fork to somebody who may not see it', async () => {
    await admin.post('/orgs', { username: 'club' });
    const crew = { name: 'crew', permission: 'read', units: ['repo.code'], can_create_org_repo: true };
    const { json } = await admin.post('/orgs/club/teams', crew);
    await admin.put(`/teams/${(json as { id: number }).id}/members/ben`);
    await admin.post('/user/repos', { name: 'secret', auto_init: true, private: true });
    await admin.put('/repos/root/secret/collaborators/ben', { permission: 'read' });
    const fork = { organization: 'club' };
    expect((await admin.post('/repos/root/secret/forks', fork)).status).to.equal(202);
    const ben = api.as({ username: 'ben', password: 'a password' });
    const { status, message } = await ben.post('/repos/root/secret/forks', fork);
    expect([status, message]).to.deep.equal([409, 'repository is already forked by user']);
  });
});
