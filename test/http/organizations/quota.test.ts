import { expect } from 'chai';
import { startApi } from '../../support/api.js';
import { organizationsApi, statuses } from './world.js';

describe('quota of an organization', () => {
  const world = organizationsApi();

  for (const path of [
    '/orgs/acme/quota',
    '/orgs/acme/quota/check?subject=size:all',
    '/orgs/acme/quota/attachments',
    '/orgs/acme/quota/packages',
    '/orgs/acme/quota/artifacts',
  ])
    it(`${path} is for owners and site administrators`, async () => {
      const { api, owner, member, stranger, wrong } = world();
      expect(
        await statuses([api.anonymous, wrong, stranger, member, owner, api.admin], (client) =>
          client.get(path),
        ),
      ).to.deep.equal([401, 401, 403, 403, 200, 200]);
      expect((await owner.get(path.replace('acme', 'nobody'))).status).to.equal(404);
    });

  it('tells what applies to the organization, without names', async () => {
    const { api, owner } = world();
    const rules = [{ name: 'no repositories', limit: 0, subjects: ['size:repos:all'] }];
    await api.admin.post('/admin/quota/groups', { name: 'tight', rules });
    expect((await owner.get('/orgs/acme/quota/check?subject=size:repos:public')).json).to.equal(true);
    expect((await api.admin.put('/admin/quota/groups/tight/users/acme')).status).to.equal(204);
    expect((await owner.get('/orgs/acme/quota')).json).to.deep.include({
      groups: [{ rules: [{ limit: 0, subjects: ['size:repos:all'] }] }],
    });
    expect((await owner.get('/orgs/acme/quota/check?subject=size:repos:public')).json).to.equal(false);
    expect((await owner.get('/orgs/acme/quota/check?subject=size:assets:all')).json).to.equal(true);
  });

  it('is 422 for what is no subject', async () => {
    expect((await world().owner.get('/orgs/acme/quota/check?subject=size:cake')).status).to.equal(422);
    expect((await world().owner.get('/orgs/acme/quota/check')).status).to.equal(422);
  });

  it('is not there where quotas are switched off', async () => {
    const api = await startApi({
      config: { quota: { enabled: false, defaultGroups: [], defaultTotal: -1n } },
    });
    try {
      await api.admin.post('/orgs', { username: 'free' });
      expect((await api.admin.get('/orgs/free/quota')).status).to.equal(404);
      expect((await api.admin.get('/orgs/free')).status).to.equal(200);
    } finally {
      await api.stop();
    }
  });
});
