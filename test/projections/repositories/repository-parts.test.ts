import { expect } from 'chai';
import { grants } from '../../../projections/organizations/grants.js';
import { commitStatuses } from '../../../projections/repositories/commit-statuses.js';
import { repositoryParts } from '../../../projections/repositories/repository-parts.js';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';
import { dataDir } from '../../support/data-dir.js';
import { newKey } from '../../support/public-keys.js';
import { buildAnew, rowsOf } from '../read-models.js';

const built = [grants, repositoryParts, commitStatuses];

describe('the read models of what hangs on repositories', () => {
  let api: TestApi;
  let owner: TestUser;
  let folder: Awaited<ReturnType<typeof dataDir>>;

  before(async () => {
    folder = await dataDir();
    api = await startApi({ config: { dataDir: folder.path } });
    owner = await api.createUser('owner');
  });
  after(async () => {
    await api.stop();
    await folder.remove();
  });

  async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, text, json } = await owner.send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json;
  }

  /** One repository that lives, what a deleted one must leave behind (nothing), and one that went to another owner. */
  async function history(): Promise<void> {
    for (const name of ['one', 'two', 'gone']) await api.createUser(name);
    await ask('POST', '/orgs', { username: 'acme' });
    const team = { name: 'team', units: ['repo.code'] };
    const { id: teamId } = (await ask('POST', '/orgs/acme/teams', team)) as { id: number };
    for (const name of ['lives', 'dies', 'moves']) {
      await ask('POST', '/orgs/acme/repos', { name, auto_init: true });
      const place = `/repos/acme/${name}`;
      for (const who of ['one', 'two', 'gone'])
        await ask('PUT', `${place}/collaborators/${who}`, { permission: 'read' });
      await ask('PUT', `${place}/collaborators/one`, { permission: 'admin' });
      await ask('DELETE', `${place}/collaborators/two`);
      await ask('PUT', `/teams/${teamId}/repos/acme/${name}`);
      await ask('PUT', `${place}/topics`, { topics: ['a', 'b'] });
      await ask('DELETE', `${place}/topics/a`);
      for (const title of ['first', 'second']) await ask('POST', `${place}/keys`, { title, key: newKey() });
      const [first] = (await ask('GET', `${place}/keys`)) as { id: number }[];
      await ask('DELETE', `${place}/keys/${first?.id}`);
      for (const rule_name of ['main', 'v*']) await ask('POST', `${place}/branch_protections`, { rule_name });
      await ask('PATCH', `${place}/branch_protections/main`, { enable_push: true });
      await ask('DELETE', `${place}/branch_protections/v*`);
      for (const state of ['pending', 'success']) await ask('POST', `${place}/statuses/main`, { state });
    }
    await ask('POST', '/repos/acme/lives/transfer', { new_owner: 'two' });
    await ask('POST', '/repos/acme/moves/transfer', { new_owner: 'owner' });
    await ask('DELETE', '/repos/acme/dies');
    await api.admin.delete('/admin/users/gone');
  }

  it('hold what lives and nothing else, and come out alike when they are built anew', async () => {
    await history();
    const live = await rowsOf(api, built);
    expect(Object.entries(live).map(([table, rows]) => [table, rows.length])).to.deep.equal([
      ['grants_v1.grants', 5], // two teams at their organization, one at a repository, two collaborators
      ['repository_parts_v1.repository_topics', 2],
      ['repository_parts_v1.deploy_keys', 2],
      ['repository_parts_v1.branch_protections', 2],
      ['repository_parts_v1.repository_transfers', 1],
      ['commit_statuses_v1.commit_statuses', 4],
    ]);

    await buildAnew(api, built);
    expect(await rowsOf(api, built)).to.deep.equal(live);
  });
});
