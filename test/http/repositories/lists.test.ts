import { expect } from 'chai';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';
import type { Client } from '../../support/client.js';
import { createIn, type RepositoryJson } from './repository.js';

describe('lists of repositories', () => {
  let api: TestApi;
  let ann: TestUser;
  let ben: TestUser;
  let eve: TestUser;
  let restricted: TestUser;
  const ids: Record<string, number> = {};

  before(async () => {
    api = await startApi();
    [ann, ben, eve, restricted] = await Promise.all([
      api.createUser('ann'),
      api.createUser('ben'),
      api.createUser('eve'),
      api.createUser('restricted', { restricted: true }),
    ]);
    await ann.post('/orgs', { username: 'acme' });
    await ann.post('/orgs', { username: 'secret', visibility: 'private' });
    await ann.post('/orgs', { username: 'club', visibility: 'limited' });
    await ann.post('/orgs', { username: 'hermit', visibility: 'private' });
    for (const [path, name, fields] of [
      ['/user/repos', 'alpha', { description: 'about Walruses, ΘΑΛΑΣΣΙΟΣ ΙΠΠΟΣ' }],
      ['/user/repos', 'beta', { private: true }],
      ['/user/repos', 'walrus_1', { template: true, auto_init: true }],
      ['/orgs/acme/repos', 'walrus-2', {}],
      ['/orgs/acme/repos', 'hidden', { private: true }],
      ['/orgs/secret/repos', 'inner', {}],
      ['/orgs/club/repos', 'members', {}],
      ['/orgs/hermit/repos', 'cave', {}],
    ] as const)
      ids[name] = (await createIn(ann, path, { name, ...fields })).id;
    ids.ben = (await createIn(ben, '/user/repos', { name: 'alphabet' })).id;
    await ann.put('/repos/ann/beta/collaborators/ben', { permission: 'read' });
    await ann.put('/repos/ann/alpha/topics', { topics: ['sea', 'mammals'] });
    await ann.patch('/repos/ann/alpha', { archived: true });
    await ben.post('/repos/ann/walrus_1/forks', { name: 'forked' });
    const team = {
      name: 'readers',
      units: ['repo.code'],
      permission: 'read',
      includes_all_repositories: true,
    };
    for (const org of ['acme', 'secret']) {
      const { json } = await ann.post(`/orgs/${org}/teams`, team);
      await ann.put(`/teams/${(json as { id: number }).id}/members/ben`);
    }
  });
  after(() => api.stop());

  const names = (repositories: unknown) =>
    (repositories as RepositoryJson[]).map(({ full_name }) => full_name);
  const list = async (client: Client, path: string) => {
    const { status, json, headers } = await client.get(path);
    expect(status, path).to.equal(200);
    expect(headers.get('x-total-count')).to.equal(String((json as unknown[]).length));
    return names(json);
  };
  const search = async (client: Client, query: string) => {
    const { status, json, text } = await client.get(`/repos/search?${query}`);
    expect(status, text).to.equal(200);
    return names((json as { data: unknown }).data);
  };

  describe('of an organization', () => {
    it('have what the caller may read, oldest first', async () => {
      expect(await list(api.anonymous, '/orgs/acme/repos')).to.deep.equal(['acme/walrus-2']);
      expect(await list(eve, '/orgs/acme/repos')).to.deep.equal(['acme/walrus-2']);
      for (const client of [ann, ben, api.admin])
        expect(await list(client, '/orgs/acme/repos')).to.deep.equal(['acme/walrus-2', 'acme/hidden']);
      expect(await list(restricted, '/users/ann/repos')).to.deep.equal([]);
    });

    it('are what is public there for a member whose teams have none of it', async () => {
      const idle = await api.createUser('idle');
      const { json } = await ann.post('/orgs/secret/teams', { name: 'idle', units: ['repo.code'] });
      await ann.put(`/teams/${(json as { id: number }).id}/members/idle`);
      expect(await list(idle, '/orgs/secret/repos')).to.deep.equal(['secret/inner']);
      expect(await search(idle, 'q=inner')).to.deep.equal(['secret/inner']);
      expect((await idle.get('/repos/secret/inner')).status).to.equal(200);
    });

    it('are there for those who may know of it', async () => {
      expect((await eve.get('/orgs/secret/repos')).status).to.equal(404);
      expect((await eve.get('/orgs/nobody/repos')).status).to.equal(404);
      expect(await list(ben, '/orgs/secret/repos')).to.deep.equal(['secret/inner']);
      for (const path of ['/orgs/club/repos', '/repos/club/members'])
        expect((await api.anonymous.get(path)).status).to.equal(404);
    });
  });

  describe('of a user', () => {
    it('have what the caller may read', async () => {
      expect(await list(eve, '/users/ann/repos')).to.deep.equal(['ann/alpha', 'ann/walrus_1']);
      expect(await list(ben, '/users/ann/repos')).to.deep.equal(['ann/alpha', 'ann/beta', 'ann/walrus_1']);
      expect((await eve.get('/users/nobody/repos')).status).to.equal(404);
      const token = await api.createToken('ann', 'public-only', 'read:repository', 'read:user');
      expect(await list(token, '/users/ann/repos')).to.deep.equal(['ann/alpha', 'ann/walrus_1']);
    });

    it('come in pages', async () => {
      const { json, headers } = await ann.get('/users/ann/repos?limit=1&page=2');
      expect(names(json)).to.deep.equal(['ann/beta']);
      expect(headers.get('x-total-count')).to.equal('3');
      expect(headers.get('link')).to.include('rel="next"');
    });
  });

  describe('of one’s own', () => {
    it('have what was given to one as well', async () => {
      expect((await api.anonymous.get('/user/repos')).status).to.equal(401);
      expect(await list(ben, '/user/repos')).to.deep.equal([
        'ben/alphabet',
        'ann/beta',
        'ben/forked',
        'acme/hidden',
        'secret/inner',
        'acme/walrus-2',
      ]);
    });

    it('are ordered as asked', async () => {
      const byId = await list(ann, '/user/repos?order_by=id');
      expect(byId[0]).to.equal('ann/alpha');
      expect((await list(ann, '/user/repos?order_by=size'))[0]).to.equal('ann/walrus_1');
      for (const order of ['age', 'constructor', '__proto__'])
        expect((await ann.get(`/user/repos?order_by=${order}`)).status, order).to.equal(422);
    });
  });

  describe('that are searched', () => {
    it('have parts of names and topics, of one word or another', async () => {
      expect(await search(eve, 'q=WALRUS')).to.deep.equal(['acme/walrus-2', 'ann/walrus_1']);
      expect(await search(eve, 'q=mamm')).to.deep.equal(['ann/alpha']);
      expect(await search(eve, 'q=sea,forked')).to.deep.equal(['ann/alpha', 'ben/forked']);
      expect(await search(eve, 'q=s_1')).to.deep.equal(['ann/walrus_1']);
      const others = (words: number) =>
        Array.from({ length: words }, (_, word) => `nowhere-${word},`).join('');
      expect(await search(eve, `q=${others(19)}forked`)).to.deep.equal(['ben/forked']);
      expect(await search(eve, `q=${others(20)}forked`)).to.deep.equal([]);
      expect(await search(eve, 'q=%25')).to.deep.equal([]);
      expect(await search(eve, 'q=mamm&topic=true')).to.deep.equal([]);
      expect(await search(eve, 'q=mammals&topic=true')).to.deep.equal(['ann/alpha']);
      expect(await search(eve, 'q=walruses')).to.deep.equal([]);
      expect(await search(eve, 'q=walruses&includeDesc=1')).to.deep.equal(['ann/alpha']);
      for (const words of ['ΘΑΛΑΣΣΙΟΣ', 'ΙΠΠΟΣ', 'ιπποσ', 'ιππος', 'nowhere,ιππος', 'WALRUSES,nowhere']) {
        const q = encodeURIComponent(words);
        expect(await search(eve, `q=${q}&includeDesc=1`), words).to.deep.equal(['ann/alpha']);
      }
    });

    it('know a path, whose owner comes first', async () => {
      expect(await search(eve, 'q=ben/alpha')).to.deep.equal(['ben/alphabet']);
      expect(await search(eve, 'q=n/alpha')).to.deep.equal(['ann/alpha', 'ben/alphabet']);
    });

    it('never show what is hidden', async () => {
      expect(await search(api.anonymous, '')).to.deep.equal([
        'ann/alpha',
        'ben/alphabet',
        'ben/forked',
        'acme/walrus-2',
        'ann/walrus_1',
      ]);
      expect(await search(eve, ''))
        .to.include('club/members')
        .and.not.include('secret/inner');
      expect(await search(ben, 'is_private=true')).to.deep.equal(['ann/beta', 'acme/hidden']);
      expect(await search(ben, 'private=false')).not.to.include.members(['ann/beta', 'secret/inner']);
      expect(await search(restricted, '')).to.deep.equal([]);
      const token = await api.createToken('ann', 'public-only', 'read:repository');
      expect(await search(token, 'uid=0')).to.have.members(await search(api.anonymous, ''));
    });

    it('show each caller what a single request would', async () => {
      const all = Object.values(ids);
      for (const client of [ann, ben, eve, restricted, api.admin]) {
        const single = await Promise.all(
          all.map(async (id) => [id, (await client.get(`/repositories/${id}`)).status]),
        );
        const { json } = await client.get('/repos/search?limit=50');
        const found = (json as { data: RepositoryJson[] }).data.map(({ id }) => id);
        for (const [id, status] of single) expect(found.some((one) => one === id)).to.equal(status === 200);
      }
    });

    it('belong to an account, or are what it has to do with', async () => {
      const of = (query: string, client: Client = ann) => search(client, `uid=${ben.id}&${query}`);
      expect(await of('')).to.deep.equal([
        'ben/alphabet',
        'ann/beta',
        'ben/forked',
        'acme/hidden',
        'secret/inner',
        'acme/walrus-2',
      ]);
      expect(await of('exclusive=true')).to.deep.equal(['ben/alphabet', 'ben/forked']);
      expect(await of('mode=collaborative&exclusive=true')).to.deep.equal([
        'ann/beta',
        'acme/hidden',
        'secret/inner',
        'acme/walrus-2',
      ]);
      expect(await of('mode=fork')).to.deep.equal(['ben/forked']);
      expect(await of('mode=source&exclusive=1')).to.deep.equal(['ben/alphabet']);
      expect(await of('mode=mirror')).to.deep.equal([]);
      expect(await of('', eve)).to.deep.equal(['ben/alphabet', 'ben/forked', 'acme/walrus-2']);
      expect(await search(ann, 'uid=999999')).to.deep.equal([]);
      const { id } = await api.createUser('recluse', { visibility: 'private' });
      await api.admin.put('/repos/acme/walrus-2/collaborators/recluse', { permission: 'read' });
      expect(await search(ann, `uid=${id}`)).to.deep.equal([]);
      expect(await search(api.admin, `uid=${id}`)).to.deep.equal(['acme/walrus-2']);
      expect(await search(eve, 'exclusive=true&q=alpha')).to.deep.equal(['ann/alpha', 'ben/alphabet']);
    });

    it('are narrowed and ordered as asked', async () => {
      expect(await search(eve, 'template=true')).to.deep.equal(['ann/walrus_1']);
      expect(await search(eve, 'archived=true')).to.deep.equal(['ann/alpha']);
      expect(await search(eve, 'archived=false')).not.to.include('ann/alpha');
      expect((await search(eve, 'sort=id&order=desc'))[0]).to.equal('ben/forked');
      expect((await search(eve, 'sort=alpha'))[0]).to.equal('acme/walrus-2');
      expect((await search(eve, 'sort=forks&order=desc'))[0]).to.equal('ann/walrus_1');
      expect((await search(eve, `priority_owner_id=${ben.id}`))[0]).to.equal('ben/alphabet');
      expect(await search(eve, 'starredBy=1')).to.deep.equal([]);
      for (const sort of ['created', 'updated', 'size', 'git_size', 'lfs_size', 'stars'])
        expect((await search(eve, `sort=${sort}`)).length).to.equal(6);
    });

    for (const query of ['mode=other', 'sort=age', 'sort=id&order=up'])
      it(`are refused for ${query}`, async () => {
        expect((await eve.get(`/repos/search?${query}`)).status).to.equal(422);
      });

    it('come in pages', async () => {
      const answer = await eve.get('/repos/search?limit=2&page=-1');
      expect(answer.json).to.include({ ok: true });
      expect(names((answer.json as { data: unknown }).data)).to.deep.equal(['ann/alpha', 'ben/alphabet']);
      expect(answer.headers.get('x-total-count')).to.equal('6');
      expect(answer.headers.get('link')).to.include('page=2');
    });
  });

  it('tell each caller what it may do', async () => {
    const { json } = await ben.get('/user/repos');
    const may = Object.fromEntries(
      (json as RepositoryJson[]).map(({ full_name, permissions }) => [full_name, permissions]),
    );
    expect(may['ann/beta']).to.deep.equal({ admin: false, push: false, pull: true });
    expect(may['ben/forked']).to.deep.equal({ admin: true, push: true, pull: true });
    expect(may['acme/hidden']).to.deep.equal({ admin: false, push: false, pull: true });
  });

  describe('of teams', () => {
    let dan: TestUser;
    let teamId: number;
    before(async () => {
      dan = await api.createUser('dan');
      await ann.post('/orgs', { username: 'works' });
      for (const name of ['given', 'kept']) await createIn(ann, '/orgs/works/repos', { name, private: true });
      await createIn(ann, '/orgs/works/repos', { name: 'shown' });
      const { json } = await ann.post('/orgs/works/teams', { name: 'few', units: ['repo.code'] });
      teamId = (json as { id: number }).id;
      await ann.put(`/teams/${teamId}/members/dan`);
      await ann.put(`/teams/${teamId}/repos/works/given`);
    });

    it('are those that they were given, and what is public', async () => {
      expect(await list(dan, '/orgs/works/repos')).to.deep.equal(['works/given', 'works/shown']);
      for (const [name, status] of [
        ['given', 200],
        ['kept', 404],
      ] as const)
        expect((await dan.get(`/repos/works/${name}`)).status).to.equal(status);
    });

    it('are what their members have to do with', async () => {
      expect(await list(dan, '/user/repos')).to.deep.equal(['works/given']);
      expect(await search(ann, `uid=${dan.id}`)).to.deep.equal(['works/given']);
      const idle = await api.createUser('idler');
      const { json } = await ann.post('/orgs/hermit/teams', { name: 'idle', units: ['repo.code'] });
      await ann.put(`/teams/${(json as { id: number }).id}/members/idler`);
      await createIn(ann, '/orgs/hermit/repos', { name: 'hoard', private: true });
      expect(await search(ann, `uid=${idle.id}`)).to.deep.equal(['hermit/cave']);
    });

    it('are told to members of the organization alone', async () => {
      for (const client of [ann, dan, api.admin])
        expect(await search(client, `team_id=${teamId}`)).to.deep.equal(['works/given']);
      await ann.put(`/teams/${teamId}/repos/works/shown`);
      expect(await search(dan, `team_id=${teamId}`)).to.deep.equal(['works/given', 'works/shown']);
      for (const client of [eve, api.anonymous])
        expect(await search(client, `team_id=${teamId}`)).to.deep.equal([]);
    });

    it('are found by a path that names owners by their names, the very owner first', async () => {
      const joanna = await api.createUser('joanna', { full_name: 'Zoe' });
      await createIn(joanna, '/user/repos', { name: 'alph' });
      expect(await search(eve, 'q=anna/alp')).to.deep.equal(['joanna/alph']);
      expect(await search(eve, 'q=zoe/alp')).to.deep.equal([]);
      await createIn(joanna, '/user/repos', { name: 'about-alpha' });
      expect(await search(eve, 'q=ann/alpha')).to.deep.equal(['ann/alpha', 'joanna/about-alpha']);
    });
  });

  // The last of all, as others count what is there.
  describe('on a page of found ones', () => {
    it('are 50 at most, whatever is configured', async () => {
      const generous = await api.another({ config: { page: { defaultLimit: 60, maxLimit: 1000 } } });
      const many = await api.createUser('many');
      for (let count = 0; count < 51; count += 1)
        await createIn(many, '/user/repos', { name: `r${count}`, private: true });
      const client = generous.as({ username: 'many', password: PASSWORD });
      for (const query of ['', '&limit=1000']) {
        const { json, headers } = await client.get(`/repos/search?uid=${many.id}${query}`);
        expect((json as { data: unknown[] }).data).to.have.lengthOf(50);
        expect(headers.get('link')).to.match(/page=2.*rel="next"/);
      }
      expect((await client.get('/user/repos')).json).to.have.lengthOf(51);
    });
  });
});
