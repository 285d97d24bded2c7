import { expect } from 'chai';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';

describe('/user/settings', () => {
  let api: TestApi;
  let alice: TestUser;

  before(async () => {
    api = await startApi();
    alice = await api.createUser('alice', { full_name: 'Alice' });
  });
  after(() => api.stop());

  const initial = {
    full_name: 'Alice',
    website: '',
    description: '',
    location: '',
    pronouns: '',
    language: '',
    theme: '',
    diff_view_style: '',
    enable_repo_unit_hints: true,
    hide_email: false,
    hide_activity: false,
  };

  it('are 401 for nobody and 403 for a token without the scope', async () => {
    expect((await api.anonymous.get('/user/settings')).status).to.equal(401);
    expect((await api.anonymous.patch('/user/settings', '{')).status).to.equal(401);
    const reader = await api.createToken('alice', 'read:user');
    expect((await reader.get('/user/settings')).json).to.deep.equal(initial);
    expect((await reader.patch('/user/settings', {})).status).to.equal(403);
  });

  for (const [field, value] of [
    ['full_name', 'x'.repeat(101)],
    ['website', 'ftp://example.org'],
    ['description', 'x'.repeat(256)],
    ['location', 'x'.repeat(51)],
    ['hide_email', 'yes'],
  ] as const)
    it(`are 422 for a bad ${field}, and nothing changes`, async () => {
      const { status } = await alice.patch('/user/settings', { pronouns: 'they', [field]: value });
      expect(status).to.equal(422);
      expect((await alice.get('/user/settings')).json).to.deep.equal(initial);
    });

  it('are changed where they are given, and shown', async () => {
    const changes = {
      full_name: 'Alice B.',
      website: 'https://example.org',
      description: 'me',
      location: 'here',
      pronouns: 'she',
      language: 'en-GB',
      theme: 'dark',
      diff_view_style: 'split',
      enable_repo_unit_hints: false,
      hide_activity: true,
    };
    const { status, json } = await alice.patch('/user/settings', changes);
    expect(status).to.equal(200);
    expect(json).to.deep.equal({ ...initial, ...changes });
    expect((await alice.patch('/user/settings', null)).json).to.deep.equal(json);
    expect((await alice.patch('/user/settings', { website: '' })).json).to.include({
      website: '',
      theme: 'dark',
    });
    expect((await alice.get('/user')).json).to.include({ language: 'en-GB', full_name: 'Alice B.' });
  });

  it('hide the address from all but the user and administrators', async () => {
    const bob = await api.createUser('bob');
    const seenBy = async (client: Pick<TestUser, 'get'>) =>
      ((await client.get('/users/alice')).json as { email: string }).email;
    expect(await seenBy(bob)).to.equal('alice@example.org');
    await alice.patch('/user/settings', { hide_email: true });
    expect(await seenBy(bob)).to.equal('alice@noreply.127.0.0.1');
    expect(await seenBy(alice)).to.equal('alice@example.org');
    expect(await seenBy(api.admin)).to.equal('alice@example.org');
  });
});
