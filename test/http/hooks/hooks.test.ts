import { expect } from 'chai';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';

interface Hook {
  readonly id: number;
  readonly [field: string]: unknown;
}

const REPO = '/repos/ann/project';
const URL_OF_TARGET = 'https://example.org/hook';
const VALID = { type: 'forgejo', config: { url: URL_OF_TARGET, content_type: 'json' } };

describe('hooks', () => {
  let api: TestApi;
  let ann: TestUser;
  let bob: TestUser;
  let writer: TestUser;
  let places: readonly { readonly path: string; readonly other: string; readonly client: TestApi['admin'] }[];

  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    bob = await api.createUser('bob');
    writer = await api.createUser('writer');
    for (const body of [{ name: 'project' }, { name: 'other' }, { name: 'secret', private: true }])
      expect((await ann.post('/user/repos', body)).status).to.equal(201);
    expect((await ann.put(`${REPO}/collaborators/writer`, { permission: 'write' })).status).to.equal(204);
    for (const username of ['acme', 'rivals'])
      expect((await ann.post('/orgs', { username })).status).to.equal(201);
    places = [
      { path: `${REPO}/hooks`, other: '/repos/ann/other/hooks', client: ann },
      { path: '/orgs/acme/hooks', other: '/orgs/rivals/hooks', client: ann },
      { path: '/user/hooks', other: `${REPO}/hooks`, client: ann },
      { path: '/admin/hooks', other: '/user/hooks', client: api.admin },
    ];
  });
  after(() => api.stop());

  const create = async (
    path: string,
    fields: object = {},
    client = ann as TestApi['admin'],
  ): Promise<Hook> => {
    const { status, json, text } = await client.post(path, { ...VALID, ...fields });
    expect(status, text).to.equal(201);
    return json as Hook;
  };

  it('are a hundred in one place at most, but on the whole server', async () => {
    const zoe = await api.createUser('zoe');
    for (let count = 0; count < 90; count += 10)
      await Promise.all(Array.from({ length: 10 }, () => create('/user/hooks', {}, zoe)));
    const atOnce = await Promise.all(Array.from({ length: 15 }, () => zoe.post('/user/hooks', VALID)));
    expect(atOnce.filter((answer) => answer.status === 201)).to.have.lengthOf(10);
    const { status, json } = await zoe.post('/user/hooks', VALID);
    expect([status, json]).to.deep.equal([
      422,
      { message: 'there are 100 hooks here, which is the most', url: '/api/swagger' },
    ]);
    const [first] = (await zoe.get('/user/hooks')).json as Hook[];
    expect((await zoe.delete(`/user/hooks/${first?.id}`)).status).to.equal(204);
    await create('/user/hooks', {}, zoe);
  });

  it('are created and read wherever they may be', async () => {
    for (const { path, client } of places) {
      const hook = await create(
        path,
        {
          config: { ...VALID.config, secret: 's3cret', http_method: 'get' },
          authorization_header: 'Bearer abc',
          branch_filter: '{main,feature*}',
          events: ['Issues', 'push'],
          active: true,
        },
        client,
      );
      expect(hook).to.deep.include({
        type: 'forgejo',
        url: URL_OF_TARGET,
        content_type: 'json',
        config: { url: URL_OF_TARGET, content_type: 'json' },
        events: ['push', 'issues', 'issue_assign', 'issue_label', 'issue_milestone', 'issue_comment'],
        branch_filter: '{main,feature*}',
        authorization_header: 'Bearer abc',
        active: true,
        metadata: null,
      });
      expect((await client.get(`${path}/${hook.id}`)).json).to.deep.equal(hook);
    }
  });

  it('report pushes, inactive, where nothing else is said', async () => {
    for (const events of [undefined, []])
      expect(await create('/orgs/acme/hooks/', { events })).to.deep.include({
        events: ['push'],
        active: false,
        branch_filter: '',
        authorization_header: '',
      });
  });

  it('show their secret to nobody, neither in answers nor in the log', async () => {
    const hook = await create(`${REPO}/hooks`, {
      config: { ...VALID.config, secret: 'hush-hush' },
      authorization_header: 'Bearer hush-hush-2',
    });
    await ann.patch(`${REPO}/hooks/${hook.id}`, { config: { secret: 'hush-hush-3' } });
    const answers = [await ann.get(`${REPO}/hooks/${hook.id}`), await ann.get(`${REPO}/hooks`)];
    for (const { text } of answers) expect(text.replaceAll('hush-hush-2', '')).not.to.include('hush');
    const events = await api.connections.log.readStream(`hook-${hook.id}`);
    expect(JSON.stringify(events.map(({ data }) => data))).not.to.include('hush');
    expect(api.logged()).not.to.include('hush-hush');
    const kept = [...(await api.connections.vault.hookSecrets.findEach([hook.id])).values()];
    expect(kept).to.include.members(['hush-hush-3', 'Bearer hush-hush-2']);
  });

  it('are refused where the request says what cannot be', async () => {
    const config = (settings: object) => ({ ...VALID, config: { ...VALID.config, ...settings } });
    const bad: readonly object[] = [
      {},
      { type: 'forgejo' },
      { ...VALID, type: undefined },
      { ...VALID, type: 'slack' },
      { ...VALID, type: 'unheard-of' },
      { ...VALID, config: {} },
      { ...VALID, config: { url: URL_OF_TARGET } },
      { ...VALID, config: { content_type: 'json' } },
      config({ content_type: 'xml' }),
      config({ url: '' }),
      config({ url: 'example.org' }),
      config({ url: '/hook' }),
      config({ url: 'ftp://example.org' }),
      config({ url: 'https://me:password@example.org' }),
      config({ url: 'https://:password@example.org' }),
      config({ secret: 1 }),
      config({ anything: true }),
      config({ is_system_webhook: 'perhaps' }),
      config({ is_system_webhook: 'tRUE' }),
      { ...VALID, events: ['push', 'shove'] },
      { ...VALID, events: 'push' },
      { ...VALID, branch_filter: '[' },
      { ...VALID, authorization_header: 'two\nlines' },
      { ...VALID, active: 'yes' },
    ];
    for (const { path, client } of places)
      for (const body of bad)
        expect((await client.post(path, body)).status, JSON.stringify(body)).to.equal(422);
    const hook = await create(`${REPO}/hooks`);
    for (const body of [
      { config: { url: 'nowhere' } },
      { config: { url: '' } },
      { config: { content_type: 'xml' } },
      { events: ['shove'] },
      { branch_filter: '{' },
    ])
      expect((await ann.patch(`${REPO}/hooks/${hook.id}`, body)).status, JSON.stringify(body)).to.equal(422);
    expect((await ann.get(`${REPO}/hooks/${hook.id}`)).json).to.deep.equal(hook);
  });

  it('take what means nothing to them', async () => {
    const config = { ...VALID.config, channel: null, username: 'x' };
    for (const is_system_webhook of ['True', '0', '', null]) {
      const body = { config: { ...config, is_system_webhook } };
      expect((await create(`${REPO}/hooks`, body)).config).to.deep.equal(VALID.config);
    }
  });

  it('change in what is said, and in nothing else', async () => {
    for (const { path, client } of places) {
      const hook = await create(
        path,
        { events: ['fork'], branch_filter: 'main', authorization_header: 'Basic xyz', active: true },
        client,
      );
      const edit = async (body: object) => {
        const { status, json, text } = await client.patch(`${path}/${hook.id}`, body);
        expect(status, text).to.equal(200);
        return json as Hook;
      };
      expect(await edit({})).to.deep.equal(hook);
      expect(await edit({ type: 'gogs', active: false })).to.deep.include({
        type: 'forgejo',
        active: false,
        events: ['fork'],
        branch_filter: 'main',
        authorization_header: 'Basic xyz',
      });
      expect(
        await edit({ config: { url: 'http://example.org/', content_type: 'form' }, events: ['create'] }),
      ).to.deep.include({
        url: 'http://example.org/',
        content_type: 'form',
        events: ['create'],
        authorization_header: 'Basic xyz',
      });
      expect(await edit({ events: [], branch_filter: '', authorization_header: '' })).to.deep.include({
        events: ['push'],
        branch_filter: '',
        authorization_header: '',
      });
    }
  });

  it('are listed by id, in pages', async () => {
    for (const { path, client } of places) {
      await create(path, {}, client);
      const all = await client.get(`${path}?limit=50`);
      const ids = (all.json as Hook[]).map(({ id }) => id);
      expect(ids.length).to.be.greaterThan(1);
      expect(ids).to.deep.equal([...ids].sort((one, two) => one - two));
      expect(all.headers.get('x-total-count')).to.equal(String(ids.length));
      const second = await client.get(`${path}?limit=1&page=2`);
      expect((second.json as Hook[]).map(({ id }) => id)).to.deep.equal(ids.slice(1, 2));
    }
  });

  it('are deleted, with their secrets', async () => {
    for (const { path, client } of places) {
      const { id } = await create(path, { config: { ...VALID.config, secret: 'x' } }, client);
      expect((await client.delete(`${path}/${id}`)).status).to.equal(204);
      expect(await api.connections.vault.hookSecrets.findEach([id])).to.have.property('size', 0);
      for (const answer of [
        await client.get(`${path}/${id}`),
        await client.patch(`${path}/${id}`, { active: true }),
        await client.delete(`${path}/${id}`),
      ])
        expect(answer.status).to.equal(404);
    }
  });

  it('are found in their own place alone', async () => {
    for (const { path, other, client } of places) {
      const { id } = await create(path, {}, client);
      for (const wrong of [`${other}/${id}`, `${path}/999999`, `${path}/abc`])
        for (const [method, body] of [['GET'], ['PATCH', { active: true }], ['DELETE']] as const)
          expect((await client.send(method, wrong, body)).status, `${method} ${wrong}`).to.equal(404);
    }
  });

  it('are for administrators of the repository, owners of the organization, administrators of the server', async () => {
    const { id } = await create(`${REPO}/hooks`);
    const statuses = async (client: TestApi['admin'], path: string) => [
      (await client.get(path)).status,
      (await client.post(path, {})).status,
    ];
    expect(await statuses(api.anonymous, `${REPO}/hooks`)).to.deep.equal([401, 401]);
    expect(await statuses(api.anonymous, '/repos/ann/secret/hooks')).to.deep.equal([404, 404]);
    expect(await statuses(bob, '/repos/ann/secret/hooks')).to.deep.equal([404, 404]);
    expect(await statuses(bob, `${REPO}/hooks`)).to.deep.equal([403, 403]);
    expect(await statuses(writer, `${REPO}/hooks`)).to.deep.equal([403, 403]);
    expect((await writer.get(`${REPO}/hooks/${id}`)).status).to.equal(403);
    expect(await statuses(api.anonymous, '/orgs/acme/hooks')).to.deep.equal([401, 401]);
    expect(await statuses(bob, '/orgs/acme/hooks')).to.deep.equal([403, 403]);
    expect(await statuses(bob, '/orgs/nobody/hooks')).to.deep.equal([404, 404]);
    expect(await statuses(ann, '/admin/hooks')).to.deep.equal([403, 403]);
    expect(await statuses(api.anonymous, '/user/hooks')).to.deep.equal([401, 401]);
    const own = await create('/user/hooks');
    expect((await bob.get('/user/hooks')).json).to.deep.equal([]);
    for (const client of [bob, api.admin])
      expect((await client.get(`/user/hooks/${own.id}`)).status).to.equal(404);
    expect(await statuses(api.admin, `${REPO}/hooks`)).to.deep.equal([200, 422]);
  });

  it('of an archived repository may still be managed', async () => {
    expect((await ann.post('/user/repos', { name: 'archived' })).status).to.equal(201);
    expect((await ann.patch('/repos/ann/archived', { archived: true })).status).to.equal(200);
    const { id } = await create('/repos/ann/archived/hooks');
    expect((await ann.patch(`/repos/ann/archived/hooks/${id}`, { active: true })).status).to.equal(200);
    expect((await ann.delete(`/repos/ann/archived/hooks/${id}`)).status).to.equal(204);
  });

  it('say again what was answered to the same request', async () => {
    const headers = { 'idempotency-key': 'one-hook' };
    const [first, second] = [
      await ann.post('/repos/ann/other/hooks', VALID, headers),
      await ann.post('/repos/ann/other/hooks', VALID, headers),
    ];
    expect(first.status).to.equal(201);
    expect(second.text).to.equal(first.text);
  });
});
