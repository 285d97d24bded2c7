import { expect } from 'chai';
import { found, names, organizationsApi, statuses } from './world.js';

describe('labels of an organization', () => {
  const world = organizationsApi();
  const path = '/orgs/acme/labels';
  const create = async (body: object) => {
    const { status, json, text } = await world().owner.post(path, { color: '#FA0', ...body });
    if (status !== 201) throw new Error(`no label: ${text}`);
    return (json as { id: number }).id;
  };

  it('are written by owners and site administrators', async () => {
    const { api, owner, member, stranger, wrong } = world();
    const id = await create({ name: 'guarded' });
    const clients = [api.anonymous, wrong, stranger, member];
    const refused = [401, 401, 403, 403];
    expect(await statuses(clients, (client) => client.post(path, '{'))).to.deep.equal(refused);
    expect(await statuses(clients, (client) => client.patch(`${path}/${id}`, '{'))).to.deep.equal(refused);
    expect(await statuses(clients, (client) => client.delete(`${path}/${id}`))).to.deep.equal(refused);
    expect(await statuses(clients, (client) => client.patch(`${path}/none`, '{}'))).to.deep.equal(refused);
    expect((await owner.patch(`${path}/none`, {})).status).to.equal(404);
    expect((await owner.post('/orgs/nobody/labels', '{')).status).to.equal(404);
    expect((await api.admin.delete(`${path}/${id}`)).status).to.equal(204);
  });

  it('are created as they were given', async () => {
    const { api, owner } = world();
    const { status, json } = await owner.post(path, {
      name: 'kind/bug',
      color: '#FA0',
      description: 'broken',
      exclusive: true,
      is_archived: true,
    });
    const { id } = json as { id: number };
    expect([status, json]).to.deep.equal([
      201,
      {
        id,
        name: 'kind/bug',
        color: 'ffaa00',
        description: 'broken',
        exclusive: true,
        is_archived: true,
        url: `${api.url()}/api/v1/orgs/Acme/labels/${id}`,
      },
    ]);
    expect((await owner.get(`${path}/${id}`)).json).to.deep.equal(json);
    expect((await owner.get(`${path}/Kind%2Fbug`)).json).to.deep.equal(json);
    await owner.delete(`${path}/${id}`);
  });

  for (const [what, body, message] of [
    ['no name', { color: 'fff' }, /^\[Name\]: Required/],
    ['no colour', { name: 'a' }, /^\[Color\]: Required/],
    ['a colour that is none', { name: 'a', color: 'red' }, /^\[Color\]: /],
  ] as const)
    it(`are 422 with ${what}`, async () => {
      const { status, message: told } = await world().owner.post(path, body);
      expect([status, message.test(told)], told).to.deep.equal([422, true]);
    });

  it('are listed to anyone by name, or the other way round, in pages', async () => {
    const { api, owner } = world();
    await found(owner, { username: 'labelled' });
    for (const name of ['b', 'A', 'c']) await owner.post('/orgs/labelled/labels', { name, color: 'fff' });
    const list = await api.anonymous.get('/orgs/labelled/labels?sort=leastissues');
    expect([names(list.json), list.headers.get('x-total-count')]).to.deep.equal([['A', 'b', 'c'], '3']);
    const reversed = await api.anonymous.get('/orgs/labelled/labels?sort=reversealphabetically&limit=2');
    expect(names(reversed.json)).to.deep.equal(['c', 'b']);
    expect((await api.anonymous.get('/orgs/nobody/labels')).status).to.equal(404);
  });

  it('are listed by the number of issues of the organization that carry them', async () => {
    const { api, owner } = world();
    await found(owner, { username: 'counted' });
    for (const name of ['a', 'b', 'c'])
      expect((await owner.post('/orgs/counted/labels', { name, color: 'fff' })).status).to.equal(201);
    expect((await owner.post('/orgs/counted/repos', { name: 'project' })).status).to.equal(201);
    for (const labels of [['b'], ['b', 'c']]) {
      const issue = (await owner.post('/repos/counted/project/issues', { title: 'one' })).json as {
        number: number;
      };
      const path = `/repos/counted/project/issues/${issue.number}/labels`;
      expect((await owner.post(path, { labels })).status).to.equal(200);
    }
    const listed = async (sort: string) =>
      names((await api.anonymous.get(`/orgs/counted/labels?sort=${sort}`)).json);
    expect(await listed('mostissues')).to.deep.equal(['b', 'c', 'a']);
    expect(await listed('leastissues')).to.deep.equal(['a', 'c', 'b']);
  });

  it('are ordered by the issues that the caller may see', async () => {
    const { api, owner, stranger } = world();
    await found(owner, { username: 'secretive' });
    for (const name of ['a', 'b', 'c'])
      expect((await owner.post('/orgs/secretive/labels', { name, color: 'fff' })).status).to.equal(201);
    for (const [name, label] of [
      ['shown', 'b'],
      ['hidden', 'c'],
      ['hidden', 'c'],
    ] as const) {
      await owner.post('/orgs/secretive/repos', { name, private: name === 'hidden' });
      const { status, json } = await owner.post(`/repos/secretive/${name}/issues`, { title: 'one' });
      expect(status).to.equal(201);
      const path = `/repos/secretive/${name}/issues/${String((json as { number: number }).number)}/labels`;
      expect((await owner.post(path, { labels: [label] })).status).to.equal(200);
    }
    const listed = async (client: typeof owner | typeof api.anonymous, sort: string) =>
      names((await client.get(`/orgs/secretive/labels?sort=${sort}`)).json).join('');
    expect(await listed(owner, 'mostissues')).to.equal('cba');
    for (const client of [api.anonymous, stranger]) {
      expect(await listed(client, 'mostissues')).to.equal('bac');
      expect(await listed(client, 'leastissues')).to.equal('acb');
    }
  });

  it('are shown one by one to whoever is signed in', async () => {
    const { api, owner, stranger } = world();
    const id = await create({ name: 'shown' });
    expect(
      await statuses([api.anonymous, stranger, owner], (client) => client.get(`${path}/${id}`)),
    ).to.deep.equal([401, 200, 200]);
    expect((await owner.get(`${path}/999999`)).status).to.equal(404);
    expect((await owner.get(`/orgs/nobody/labels/${id}`)).status).to.equal(404);
  });

  it('change in what is given, and keep the rest', async () => {
    const { owner } = world();
    const id = await create({ name: 'changing', is_archived: true });
    const { status, json } = await owner.patch(`${path}/${id}`, { description: 'other' });
    expect(status).to.equal(200);
    expect(json).to.include({
      name: 'changing',
      color: 'ffaa00',
      description: 'other',
      is_archived: true,
    });
    expect((await owner.get(`${path}/${id}`)).json).to.deep.equal(json);
    expect((await owner.patch(`${path}/${id}`, { color: 'x' })).status).to.equal(422);
    expect((await owner.patch(`${path}/999999`, {})).status).to.equal(404);
  });

  it('are deleted, and a label that is not there as well', async () => {
    const { owner } = world();
    const id = await create({ name: 'doomed' });
    expect(await statuses([owner, owner], (client) => client.delete(`${path}/${id}`))).to.deep.equal([
      204, 204,
    ]);
    expect((await owner.get(`${path}/${id}`)).status).to.equal(404);
  });

  it('of another organization are not found', async () => {
    const { owner } = world();
    const id = await create({ name: 'ours' });
    await found(owner, { username: 'elsewhere' });
    expect((await owner.get(`/orgs/elsewhere/labels/${id}`)).status).to.equal(404);
    expect((await owner.patch(`/orgs/elsewhere/labels/${id}`, {})).status).to.equal(404);
    await owner.delete(`/orgs/elsewhere/labels/${id}`);
    expect((await owner.get(`${path}/${id}`)).status).to.equal(200);
  });
});
