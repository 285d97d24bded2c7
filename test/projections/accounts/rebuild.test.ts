import { expect } from 'chai';
import { accounts } from '../../../projections/accounts/accounts.js';
import { schemaOf } from '../../../projections/projection.js';
import { projections } from '../../../projections/registry.js';
import { startApi, type TestApi } from '../../support/api.js';
import { comparedWithLog } from '../../support/compared-with-log.js';
import { newKey } from '../../support/public-keys.js';
import { rejection } from '../../support/rejection.js';

describe('the read models of accounts and organizations', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  /** Everything that can become of a user, with deletions and names that pass from one to another. */
  async function live(name: string): Promise<void> {
    const user = await api.createUser(name, { full_name: 'Somebody', visibility: 'limited' });
    const admin = (path: string, body: object) => api.admin.patch(`/admin/users/${path}`, body);
    await admin(name, { admin: true, email: `${name}@other.example.org`, location: 'Rome' });
    await admin(name, { admin: false, visibility: 'public', full_name: '' });
    await user.patch('/user/settings', { hide_email: true, theme: 'dark', website: 'https://example.org' });
    await user.post('/user/emails', { emails: [`${name}@third.example.org`] });
    await user.delete('/user/emails', { emails: [`${name}@example.org`] });
    await api.createToken(name, 'all');
    await user.post('/user/keys', { title: 'one', key: newKey() });
    const { json } = await user.post('/user/keys', { title: 'two', key: newKey() });
    await user.delete(`/user/keys/${(json as { id: number }).id}`);
    await user.post('/orgs', { username: `${name}s-people` });
    await api.admin.post(`/admin/users/${name}/rename`, { new_username: `${name}-renamed` });
    await api.admin.post(`/admin/users/${name}-renamed/rename`, { new_username: `${name}-again` });
  }

  it('come out of a rebuild, all at once, as they were made event by event', async () => {
    await Promise.all(['alice', 'bob', 'carol'].map(live));
    await api.createUser('alice', { email: 'heir@example.org' });
    await api.createUser('carol', { email: 'other@example.org' });
    expect((await api.admin.delete('/admin/users/carol?purge=true&erase=true')).status).to.equal(204);
    expect((await api.admin.delete('/admin/users/bob-again?purge=true')).status).to.equal(204);

    await api.shown();
    const compared = new Map(
      (await comparedWithLog(api.databaseUrl, api.connections.log)).map(
        ({ name, rows, differences, lines }) => {
          expect(differences, lines.join('\n')).to.deep.equal([]);
          return [name, rows > 0 ? 'some rows' : 'no row'];
        },
      ),
    );
    expect([...compared.keys()]).to.deep.equal(projections.map(({ name }) => name));
    for (const name of ['accounts', 'account-history', 'organizations', 'grants'])
      expect(compared.get(name), name).to.equal('some rows');
  });

  it('are looked at when any test has ended: a row that the log does not give is told', async () => {
    const other = await startApi();
    await other.createUser('dave');
    await other.shown();
    await other.connections.db.rows(
      `update "${schemaOf(accounts)}".accounts set location = 'Rome' where name = 'dave'`,
    );
    expect((await rejection(other.stop())).message).to.match(/read models differ.*Rome/s);
  });
});
