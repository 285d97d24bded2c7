import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { CommandHandler } from '../../../src/commands/handle.js';
import { Account } from '../../../src/domain/accounts/account.js';
import { ADMIN, PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';

describe('PATCH /admin/users/{username}', () => {
  let api: TestApi;
  let count = 0;

  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const fresh = (fields = {}): Promise<TestUser> => api.createUser(`user${++count}`, fields);
  const edit = (name: string, body: unknown) => api.admin.patch(`/admin/users/${name}`, body);
  const signIn = (username: string, password = PASSWORD) => api.as({ username, password }).get('/user');

  describe('is refused', () => {
    it('for nobody (401) and for whoever is no administrator (403), whatever the path and body', async () => {
      const user = await fresh();
      expect((await api.anonymous.patch('/admin/users/nobody', '{')).status).to.equal(401);
      expect((await user.patch('/admin/users/nobody', '{')).status).to.equal(403);
    });

    it('for a token without the scope', async () => {
      const reader = await api.createToken(ADMIN.username, 'read:admin', 'write:user');
      expect((await reader.patch('/admin/users/root', {})).status).to.equal(403);
    });

    it('for an unknown user before the body is looked at', async () => {
      expect((await edit('nobody', '{')).status).to.equal(404);
    });

    for (const [what, body, field] of [
      ['an empty address', { email: '' }, 'Email'],
      ['an address that is none', { email: 'a b@example.org' }, 'Email'],
      ['an address of 255 characters', { email: `${'a'.repeat(243)}@example.org` }, 'Email'],
      ['the address of somebody else, in another case', { email: 'ROOT@localhost' }, 'Email'],
      ['a login name alone', { login_name: 'x' }, 'LoginName'],
      ['a source alone', { source_id: 0 }, 'LoginName'],
      ['an unknown source', { source_id: 5, login_name: 'x' }, 'SourceId'],
      ['a short password', { password: '1234567' }, 'Password'],
      ['a password of 256 characters', { password: 'x'.repeat(256) }, 'Password'],
      ['a full name of 101 characters', { full_name: 'x'.repeat(101) }, 'FullName'],
      ['a location of 51 characters', { location: 'x'.repeat(51) }, 'Location'],
      ['pronouns of 51 characters', { pronouns: 'x'.repeat(51) }, 'Pronouns'],
      ['a description of 256 characters', { description: 'x'.repeat(256) }, 'Description'],
      ['a website that is no URL', { website: 'example' }, 'Website'],
      ['a website of another scheme', { website: 'javascript:alert(1)' }, 'Website'],
      ['an unknown visibility', { visibility: 'hidden' }, 'Visibility'],
      ['a text for a boolean', { active: 'no' }, 'Active'],
      ['a broken number', { max_repo_creation: 1.5 }, 'MaxRepoCreation'],
    ] as const)
      it(`for ${what}, and nothing else of the request is done`, async () => {
        const user = await fresh();
        const before = (await api.admin.get(`/users/${user.username}`)).json;
        const refused = await edit(user.username, { location: 'Rome', restricted: true, ...body });
        expect([refused.status, refused.message]).to.satisfy(
          ([status, message]: [number, string]) => status === 422 && message.startsWith(`[${field}]: `),
        );
        expect((await api.admin.get(`/users/${user.username}`)).json).to.deep.equal(before);
        expect((await signIn(user.username)).status).to.equal(200);
      });
  });

  it('changes every field and answers with the user', async () => {
    const user = await fresh();
    const fields = {
      full_name: 'Élodie',
      website: 'https://example.org:8443/a?b',
      location: 'x'.repeat(50),
      pronouns: 'she/her',
      description: 'y'.repeat(255),
      visibility: 'private',
      restricted: true,
      email: 'new@Example.org',
      source_id: 0,
      login_name: 'elodie',
    };
    const { status, json } = await edit(user.username, {
      ...fields,
      allow_git_hook: true,
      max_repo_creation: -5,
    });
    expect(status).to.equal(200);
    expect(json).to.include({ ...fields, login: user.username, id: user.id });
    expect((await api.admin.get(`/users/${user.username}`)).json).to.deep.equal(json);
  });

  it('hides and shows the address', async () => {
    const [user, other] = [await fresh(), await fresh()];
    const emailOf = async () =>
      ((await other.get(`/users/${user.username}`)).json as { email: string }).email;
    expect((await edit(user.username, { hide_email: true })).status).to.equal(200);
    expect(await emailOf()).to.match(/@noreply\./);
    expect((await user.get('/user/settings')).json).to.include({ hide_email: true });
    await edit(user.username, { hide_email: false });
    expect(await emailOf()).to.equal(`${user.username}@example.org`);
  });

  it('takes a form', async () => {
    const user = await fresh();
    const form = new URLSearchParams({ full_name: 'By Form', restricted: 'true' });
    const { status, json } = await edit(user.username, form);
    expect(status).to.equal(200);
    expect(json).to.include({ full_name: 'By Form', restricted: true });
  });

  it('clears what is empty and leaves what is absent, null or an empty password', async () => {
    const user = await fresh({ full_name: 'Somebody', visibility: 'limited' });
    const { json } = await edit(user.username, { full_name: '', visibility: '', email: null, password: '' });
    expect(json).to.include({ full_name: '', visibility: 'limited', email: `${user.username}@example.org` });
    expect((await edit(user.username, {})).json).to.deep.equal(json);
    expect((await edit(user.username, undefined)).json).to.deep.equal(json);
    expect((await signIn(user.username)).status).to.equal(200);
  });

  it('takes of an organization what users alone have only where it is empty', async () => {
    await api.admin.post('/orgs', { username: 'makers' });
    const unsaid = { source_id: 0, login_name: '', password: '', pronouns: '' };
    const { status, json } = await edit('makers', { ...unsaid, full_name: 'The makers' });
    expect([status, json]).to.deep.equal([
      200,
      { ...(json as object), full_name: 'The makers', login_name: '' },
    ]);
    expect((await edit('makers', { ...unsaid, login_name: 'x' })).status).to.equal(422);
    for (const field of [
      'active',
      'hide_email',
      'allow_git_hook',
      'allow_import_local',
      'allow_create_organization',
    ])
      expect((await edit('makers', { ...unsaid, [field]: false })).status, field).to.equal(422);
    expect((await edit('makers', { ...unsaid, pronouns: 'they' })).status).to.equal(422);
  });

  it('limits the repositories of an organization', async () => {
    await api.admin.post('/orgs', { username: 'the-few' });
    const limited = await edit('the-few', { max_repo_creation: 0 });
    expect(limited.status).to.equal(200);
    const user = await fresh();
    const { json: teams } = await api.admin.get('/orgs/the-few/teams');
    const [owners] = teams as { id: number }[];
    await api.admin.put(`/teams/${owners?.id}/members/${user.username}`);
    expect((await user.post('/orgs/the-few/repos', { name: 'tools' })).status).to.equal(403);
  });

  it('takes any 64-bit number of repositories', async () => {
    const user = await fresh();
    const limit = async (digits: string) =>
      (await edit(user.username, new URLSearchParams({ max_repo_creation: digits }))).status;
    const create = async (name: string) => (await user.post('/user/repos', { name })).status;
    expect([await limit('9007199254740993'), await create('one')]).to.deep.equal([200, 201]);
    expect([await limit('0'), await create('two')]).to.deep.equal([200, 403]);
    expect([await limit('-9223372036854775808'), await create('two')]).to.deep.equal([200, 201]);
    expect(await limit('9223372036854775808')).to.equal(422);
  });

  it('makes a private user public again', async () => {
    const user = await fresh({ visibility: 'private' });
    expect((await api.anonymous.get(`/users/${user.username}`)).status).to.equal(404);
    expect((await edit(user.username, { visibility: 'public' })).json).to.include({ visibility: 'public' });
    expect((await api.anonymous.get(`/users/${user.username}`)).status).to.equal(200);
  });

  it('keeps the old address as another of the user, which signs in too and is nobody else\u2019s', async () => {
    const user = await fresh();
    const old = `${user.username}@example.org`;
    expect((await edit(user.username, { email: 'fresh@example.org' })).status).to.equal(200);
    expect((await signIn(old)).status).to.equal(200);
    expect((await signIn('FRESH@example.org')).status).to.equal(200);
    const other = await fresh();
    expect((await edit(other.username, { email: old })).status).to.equal(422);
    expect((await edit(user.username, { email: old.toUpperCase() })).json).to.include({
      email: old.toUpperCase(),
    });
  });

  for (const [what, closed, open] of [
    ['prohibited', { prohibit_login: true }, { prohibit_login: false }],
    ['inactive', { active: false }, { active: true }],
    ['told to change its password', { must_change_password: true }, { must_change_password: false }],
  ] as const)
    it(`closes an account that is ${what} at once, tokens included, and opens it again`, async () => {
      const user = await fresh();
      const token = await api.createToken(user.username, 'all');
      const statuses = async () => [(await user.get('/user')).status, (await token.get('/user')).status];
      expect(await statuses()).to.deep.equal([200, 200]);
      expect((await edit(user.username, closed)).status).to.equal(200);
      expect(await statuses()).to.deep.equal([403, 403]);
      expect((await edit(user.username, open)).status).to.equal(200);
      expect(await statuses()).to.deep.equal([200, 200]);
    });

  it('shows an administrator that an account is closed', async () => {
    const user = await fresh();
    const { json } = await edit(user.username, { active: false, prohibit_login: true });
    expect(json).to.include({ active: false, prohibit_login: true });
  });

  it('sets a password, which ends the old one at once', async () => {
    const user = await fresh({ must_change_password: true });
    expect((await user.get('/user')).status).to.equal(403);
    const body = { password: 'another one', must_change_password: false };
    expect((await edit(user.username, body)).status).to.equal(200);
    expect((await user.get('/user')).status).to.equal(401);
    expect((await signIn(user.username, 'another one')).status).to.equal(200);
  });

  for (const first of ['password', 'token'])
    it(`that was cut off behind its event is done by the next sign-in, with a ${first}`, async () => {
      const user = await fresh({ must_change_password: true });
      const token = await api.createToken(user.username, 'all');
      expect([(await user.get('/user')).status, (await token.get('/user')).status]).to.deep.equal([403, 403]);
      const { vault, log } = api.connections;
      const [id, at] = [randomUUID(), new Date().toISOString()];
      await vault.credentials.announce(user.id, { id, password: 'another one', mustChangePassword: false });
      const asked = { settings: { mustChangePassword: false }, profile: {}, newPassword: true, editId: id };
      const command = { type: 'EditAccount', data: { accountId: user.id, ...asked, at } } as const;
      expect((await user.get('/user')).status).to.equal(403);
      await new CommandHandler({ log }).handle(Account, user.id, command, { commandId: randomUUID(), at });
      const ways = [() => signIn(user.username, 'another one'), () => token.get('/user')];
      for (const way of first === 'token' ? ways.reverse() : ways) expect((await way()).status).to.equal(200);
      expect((await user.get('/user')).status).to.equal(401);
    });

  it('makes an administrator and no administrator', async () => {
    const user = await fresh();
    expect((await edit(user.username, { admin: true })).json).to.include({ is_admin: true });
    expect((await user.get('/admin/quota/rules')).status).to.equal(200);
    expect((await edit(user.username, { admin: false })).json).to.include({ is_admin: false });
    expect((await user.get('/admin/quota/rules')).status).to.equal(403);
  });

  describe('leaves an administrator', () => {
    for (const body of [
      { admin: false },
      { active: false },
      { prohibit_login: true },
      { must_change_password: true },
    ])
      it(`who can sign in, whatever is asked: ${JSON.stringify(body)}`, async () => {
        const { status, message } = await edit('root', { full_name: 'Nobody', ...body });
        expect([status, message]).to.satisfy(
          ([code, text]: [number, string]) => code === 422 && text.startsWith('[Admin]: '),
        );
        expect((await api.admin.get('/user')).json).to.include({ full_name: '', is_admin: true });
      });

    it('in office where anything else of it changes', async () => {
      for (const body of [{ full_name: 'Root' }, { full_name: '', active: true, prohibit_login: false }])
        expect((await edit('root', body)).status).to.equal(200);
      expect((await edit('root', { admin: false })).status).to.equal(422);
    });

    it('when another one is suspended', async () => {
      const other = await fresh();
      await edit(other.username, { admin: true });
      expect((await edit(other.username, { prohibit_login: true })).status).to.equal(200);
      expect((await edit('root', { admin: false })).status).to.equal(422);
      expect((await edit(other.username, { prohibit_login: false })).status).to.equal(200);
      expect((await edit('root', { admin: false })).status).to.equal(200);
      expect((await other.patch('/admin/users/root', { admin: true })).status).to.equal(200);
      expect((await edit(other.username, { admin: false })).status).to.equal(200);
    });

    it('when the last two are demoted at once, one by each', async () => {
      for (let round = 0; round < 5; round++) {
        const other = await fresh();
        await edit(other.username, { admin: true });
        const another = await api.another();
        const answers = await Promise.all([
          api.admin.patch(`/admin/users/${other.username}`, { admin: false }),
          another
            .as({ username: other.username, password: PASSWORD })
            .patch('/admin/users/root', { active: false }),
        ]);
        await another.stop();
        const statuses = answers.map(({ status }) => status);
        expect(statuses).to.include(200);
        expect(statuses.filter((status) => status === 200)).to.have.length(1);
        if (statuses[1] === 200) await other.patch('/admin/users/root', { active: true });
        await edit(other.username, { admin: false });
      }
    });
  });

  it('gives an address that many want at once to one of them', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, () => fresh()));
    const answers = await Promise.all(
      users.map(({ username }) => edit(username, { email: 'wanted@example.org', location: 'won' })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, ...Array<number>(11).fill(422)]);
    const located = await Promise.all(users.map(({ username }) => api.admin.get(`/users/${username}`)));
    expect(located.filter(({ json }) => (json as { location: string }).location === 'won')).to.have.length(1);
  });
});
