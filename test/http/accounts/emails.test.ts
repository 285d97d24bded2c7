import { expect } from 'chai';
import { freePort } from '../../../src/start/free-port.js';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';

describe('/user/emails', () => {
  let api: TestApi;
  let alice: TestUser;
  let bob: TestUser;
  const path = '/user/emails';

  before(async () => {
    api = await startApi();
    [alice, bob] = [await api.createUser('alice'), await api.createUser('bob')];
  });
  after(() => api.stop());

  const shown = (email: string, primary: boolean) => ({
    email,
    primary,
    verified: true,
    user_id: alice.id,
    username: 'alice',
  });

  it('are 401 for nobody and 403 for a token without the scope', async () => {
    const reader = await api.createToken('alice', 'read:user');
    expect((await api.anonymous.get(path)).status).to.equal(401);
    for (const method of ['POST', 'DELETE']) {
      expect((await api.anonymous.send(method, path, '{')).status).to.equal(401);
      expect((await reader.send(method, path, { emails: ['a@example.org'] })).status).to.equal(403);
    }
    expect((await reader.get(path)).json).to.deep.equal([shown('alice@example.org', true)]);
  });

  for (const emails of [
    undefined,
    [],
    ['x'],
    ['ok@example.org', 'bob@example.org'],
    ['ALICE@example.org'],
    'x',
  ])
    it(`are 422 for ${JSON.stringify(emails)}, and none is added`, async () => {
      expect((await alice.post(path, { emails })).status).to.equal(422);
      expect((await alice.get(path)).json).to.have.length(1);
    });

  it('are 422 where they stand in for what others hide: their commits bear these', async () => {
    const port = await freePort('127.0.0.1');
    const named = await api.another({ config: { port, baseUrl: 'https://forge.example.org' } });
    const [ann, ben] = ['alice', 'bob'].map((username) => named.as({ username, password: PASSWORD }));
    try {
      expect((await ben?.patch('/user/settings', { hide_email: true }))?.status).to.equal(200);
      expect((await ann?.get('/users/bob'))?.json).to.include({ email: 'bob@noreply.forge.example.org' });
      for (const taken of ['bob@noreply.forge.example.org', 'Alice@NOREPLY.forge.example.org'])
        expect((await ann?.post(path, { emails: [taken] }))?.json).to.include({
          message: '[Email]: stands in for an address that is hidden',
        });
      expect((await alice.get(path)).json).to.have.length(1);
    } finally {
      await bob.patch('/user/settings', { hide_email: false });
      await named.stop();
    }
  });

  it('are added, listed with the primary one first, sign in, and belong to nobody else', async () => {
    const { status, json } = await alice.post(path, { emails: ['Two@example.org', 'three@example.org'] });
    expect(status).to.equal(201);
    const all = [
      shown('alice@example.org', true),
      shown('Two@example.org', false),
      shown('three@example.org', false),
    ];
    expect(json).to.deep.equal(all);
    expect((await alice.get(path)).json).to.deep.equal(all);
    expect((await api.as({ username: 'two@EXAMPLE.org', password: PASSWORD }).get('/user')).status).to.equal(
      200,
    );
    expect((await bob.post(path, { emails: ['two@example.org'] })).status).to.equal(422);
  });

  it('are removed, all or none, but for the primary one; others may have them then', async () => {
    await alice.post(path, { emails: ['four@example.org'] });
    for (const [emails, status] of [
      [['four@example.org', 'bob@example.org'], 404],
      [['four@example.org', 'alice@example.org'], 422],
      [[], 204],
      [undefined, 204],
    ] as const)
      expect((await alice.delete(path, { emails })).status).to.equal(status);
    expect((await alice.delete(path, { emails: ['FOUR@example.org'] })).status).to.equal(204);
    expect((await api.as({ username: 'four@example.org', password: PASSWORD }).get('/user')).status).to.equal(
      401,
    );
    expect((await bob.post(path, { emails: ['four@example.org'] })).status).to.equal(201);
  });
});
