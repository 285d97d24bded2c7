import { expect } from 'chai';
import { ADMIN } from '../../support/api.js';
import { found, joined, names, organizationsApi, statuses, team } from './world.js';

const UNITS = [
  'repo.code',
  'repo.issues',
  'repo.ext_issues',
  'repo.pulls',
  'repo.releases',
  'repo.wiki',
  'repo.ext_wiki',
  'repo.projects',
  'repo.packages',
  'repo.actions',
];
const every = (level: string) => Object.fromEntries(UNITS.map((unit) => [unit, level]));

describe('teams', () => {
  const world = organizationsApi();
  let teams = 0;
  const fresh = async (fields: object = {}) => {
    const name = `team-${(teams += 1)}`;
    const body = { name, permission: 'write', units: ['repo.code', 'repo.issues'], ...fields };
    return { name, id: await team(world().owner, 'acme', body) };
  };

  describe('GET /orgs/{org}/teams', () => {
    it('is for members', async () => {
      const { api, owner, member, stranger, wrong } = world();
      expect(
        await statuses([api.anonymous, wrong, stranger, member, owner, api.admin], (client) =>
          client.get('/orgs/acme/teams'),
        ),
      ).to.deep.equal([401, 401, 403, 200, 200, 200]);
      expect((await api.anonymous.get('/orgs/nobody/teams')).status).to.equal(404);
    });

    it('lists all by name, in pages, without the organization', async () => {
      const { owner } = world();
      await found(owner, { username: 'listing' });
      for (const name of ['beta', 'Alpha']) await team(owner, 'listing', { name, units: ['repo.code'] });
      const { json, headers } = await owner.get('/orgs/listing/teams');
      expect(names(json)).to.deep.equal(['Alpha', 'beta', 'Owners']);
      expect((json as { organization: unknown }[])[0]?.organization).to.equal(null);
      expect([headers.get('x-total-count'), headers.get('link')]).to.deep.equal(['3', null]);
      expect(names((await owner.get('/orgs/listing/teams?limit=1&page=2')).json)).to.deep.equal(['beta']);
    });
  });

  describe('GET /orgs/{org}/teams/search', () => {
    it('finds parts of names and descriptions; for all but site administrators in their own teams', async () => {
      const { api, owner, member, stranger } = world();
      await found(owner, { username: 'searching' });
      const told = { units: ['repo.code'], description: 'They LOOK after ΑΘΗΝΑΣ' };
      const id = await team(owner, 'searching', { name: 'keepers', ...told });
      await team(owner, 'searching', { name: 'lookers', units: ['repo.code'] });
      await joined(owner, id, member);
      const search = async (client: typeof owner | typeof api.admin, query: string) => {
        const { json } = await client.get(`/orgs/searching/teams/search?${query}`);
        const { ok, data } = json as { ok: boolean; data: unknown };
        expect(ok).to.equal(true);
        return names(data);
      };
      expect(await search(api.admin, 'q=look')).to.deep.equal(['keepers', 'lookers']);
      for (const word of ['ΑΘΗΝΑΣ', 'αθηνας', 'αθηνασ'])
        expect(await search(api.admin, `q=${encodeURIComponent(word)}`), word).to.deep.equal(['keepers']);
      expect(await search(api.admin, 'q=LOOK&include_desc=false')).to.deep.equal(['lookers']);
      expect(await search(api.admin, '')).to.deep.equal(['keepers', 'lookers', 'Owners']);
      expect(await search(api.admin, 'q=%20look%20')).to.deep.equal(['keepers', 'lookers']);
      expect(await search(api.admin, 'q=%25')).to.deep.equal([]);
      expect(await search(member, 'q=look')).to.deep.equal(['keepers']);
      expect(await search(owner, 'q=look')).to.deep.equal([]);
      const page = await api.admin.get('/orgs/searching/teams/search?limit=1');
      expect(page.headers.get('x-total-count')).to.equal('3');
      expect(page.headers.get('link')).to.match(/rel="next"/);
      expect(
        await statuses([api.anonymous, stranger], (client) => client.get('/orgs/searching/teams/search')),
      ).to.deep.equal([401, 403]);
    });
  });

  describe('POST /orgs/{org}/teams', () => {
    const path = '/orgs/acme/teams';

    it('is for owners and site administrators, whatever the body', async () => {
      const { api, member, stranger, wrong, owner } = world();
      expect(
        await statuses([api.anonymous, wrong, stranger, member], (client) => client.post(path, '{')),
      ).to.deep.equal([401, 401, 403, 403]);
      expect((await owner.post('/orgs/nobody/teams', '{')).status).to.equal(404);
    });

    it('answers with the whole Team and its organization', async () => {
      const { owner } = world();
      const { status, json } = await owner.post(path, {
        name: 'Whole.Team_1',
        description: 'all of it',
        permission: 'write',
        units: ['repo.issues', 'repo.code'],
        includes_all_repositories: true,
        can_create_org_repo: true,
      });
      expect(status).to.equal(201);
      const { id } = json as { id: number };
      expect(json).to.deep.equal({
        id,
        name: 'Whole.Team_1',
        description: 'all of it',
        organization: (await owner.get('/orgs/acme')).json,
        permission: 'write',
        units: ['repo.code', 'repo.issues'],
        units_map: { 'repo.code': 'write', 'repo.issues': 'write' },
        includes_all_repositories: true,
        can_create_org_repo: true,
      });
      expect((await owner.get(`/teams/${id}`)).json).to.deep.equal(json);
      await owner.delete(`/teams/${id}`);
    });

    it('takes a map of units, whose lowest level is the permission', async () => {
      const { owner } = world();
      const units_map = { 'repo.code': 'read', 'repo.issues': 'write', 'repo.wiki': 'none' };
      const { json } = await owner.post(path, { name: 'mapped', permission: 'write', units_map });
      expect(json).to.deep.include({ permission: 'read', units_map, units: ['repo.code', 'repo.issues'] });
    });

    it('gives administrators every unit', async () => {
      const { owner } = world();
      const { json } = await owner.post(path, { name: 'administrators', permission: 'admin', units: ['x'] });
      expect(json).to.deep.include({ permission: 'admin', units: UNITS, units_map: every('admin') });
    });

    for (const [what, body, message] of [
      ['no name', { name: undefined }, /^\[Name\]: Required/],
      ['a name with a space', { name: 'a b' }, /^\[Name\]: /],
      ['a reserved name', { name: 'new' }, /^\[Name\]: /],
      ['a taken name in another case', { name: 'OWNERS' }, /^\[Name\]: /],
      ['a description of 256 characters', { description: 'x'.repeat(256) }, /^\[Description\]: /],
      ['an unknown permission', { permission: 'all' }, /^\[Permission\]: /],
      ['the permission of owners', { permission: 'owner' }, /^\[Permission\]: /],
      ['an unknown unit', { units: ['repo.cake'] }, /^\[Units\]: /],
      ['no units', { units: [] }, /^\[Units\]: /],
      ['an unknown level', { units_map: { 'repo.code': 'eat' } }, /^\[UnitsMap\]: /],
      ['an unknown mapped unit', { units_map: { 'repo.cake': 'read' } }, /^\[UnitsMap\]: /],
      ['__proto__ as one', { units_map: { ['__proto__']: 'read', 'repo.code': 'read' } }, /^\[UnitsMap\]: /],
    ] as const)
      it(`is 422 for ${what}`, async () => {
        const { status, message: told } = await world().owner.post(path, {
          name: 'refused',
          units: ['repo.code'],
          ...body,
        });
        expect([status, message.test(told)], told).to.deep.equal([422, true]);
      });

    it('lets one of many at once have the name', async () => {
      const { owner } = world();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => owner.post(path, { name: 'contended', units: ['repo.code'] })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        201,
        ...new Array<number>(7).fill(422),
      ]);
    });
  });

  describe('GET /teams/{id}', () => {
    it('is for members of the team, owners and site administrators', async () => {
      const { api, owner, member, stranger, wrong, readersId, ownersId } = world();
      const clients = [api.anonymous, wrong, stranger, member, owner, api.admin];
      expect(await statuses(clients, (client) => client.get(`/teams/${readersId}`))).to.deep.equal([
        401, 401, 404, 200, 200, 200,
      ]);
      expect(await statuses(clients, (client) => client.get(`/teams/${ownersId}/`))).to.deep.equal([
        401, 401, 404, 403, 200, 200,
      ]);
    });

    it('is 404 for a team that does not exist, to the anonymous too, and for what is no number', async () => {
      const { api } = world();
      for (const id of ['999999', 'readers', '-1', '99999999999999999999'])
        expect(
          await statuses([api.anonymous, api.admin], (client) => client.get(`/teams/${id}`)),
          id,
        ).to.deep.equal([404, 404]);
    });

    it('hides the teams of private organizations from the anonymous', async () => {
      const { api, owner } = world();
      await found(owner, { username: 'closed', visibility: 'private' });
      const id = await team(owner, 'closed', { name: 'inside', units: ['repo.code'] });
      expect((await api.anonymous.get(`/teams/${id}`)).status).to.equal(404);
      const narrow = await api.createToken('owner', 'public-only', 'all');
      expect((await narrow.get(`/teams/${id}`)).status).to.equal(403);
    });
  });

  describe('PATCH /teams/{id}', () => {
    it('is for owners and site administrators', async () => {
      const { api, member, stranger, wrong, readersId, ownersId } = world();
      const clients = [api.anonymous, wrong, stranger, member];
      expect(await statuses(clients, (client) => client.patch(`/teams/${readersId}`, '{'))).to.deep.equal([
        401, 401, 404, 404,
      ]);
      expect(await statuses(clients, (client) => client.patch(`/teams/${ownersId}`, '{'))).to.deep.equal([
        401, 401, 404, 403,
      ]);
      expect((await api.admin.patch('/teams/999999', '{')).status).to.equal(404);
    });

    it('changes what is given and keeps the rest', async () => {
      const { owner } = world();
      const { id, name } = await fresh();
      const whole = { name, permission: 'write', units: ['repo.code', 'repo.issues'] };
      for (const [body, expected] of [
        [{}, whole],
        [null, whole],
        [
          { description: 'changed', name: '' },
          { ...whole, description: 'changed' },
        ],
        [
          { includes_all_repositories: true, can_create_org_repo: true },
          { ...whole, includes_all_repositories: true, can_create_org_repo: true },
        ],
        [{ permission: 'admin' }, { permission: 'admin', units: UNITS, units_map: every('admin') }],
        [{ permission: 'read' }, { permission: 'read', units: UNITS, units_map: every('read') }],
        [
          { units_map: { 'repo.code': 'write', 'repo.pulls': 'read' } },
          { permission: 'read', units_map: { 'repo.code': 'write', 'repo.pulls': 'read' } },
        ],
      ] as const) {
        const { status, json } = await owner.patch(`/teams/${id}`, body);
        expect(status).to.equal(200);
        expect(json).to.deep.include({ ...expected, organization: null });
        const read = (await owner.get(`/teams/${id}`)).json as object;
        expect({ ...read, organization: null }).to.deep.equal(json);
      }
    });

    it('is 422 for a taken name, a bad one, and unknown words', async () => {
      const { owner } = world();
      const { id } = await fresh();
      for (const body of [
        { name: 'Readers' },
        { name: 'new' },
        { name: 'a/b' },
        { permission: 'all' },
        { units: ['x'] },
      ])
        expect((await owner.patch(`/teams/${id}`, body)).status, JSON.stringify(body)).to.equal(422);
    });

    it('neither renames nor narrows the owners', async () => {
      const { owner, ownersId } = world();
      expect((await owner.patch(`/teams/${ownersId}`, { name: 'Bosses' })).status).to.equal(422);
      const { status, json } = await owner.patch(`/teams/${ownersId}`, {
        name: 'Owners',
        description: 'who own',
        permission: 'read',
        units: ['repo.code'],
        includes_all_repositories: false,
        can_create_org_repo: false,
      });
      expect(status).to.equal(200);
      expect(json).to.deep.include({
        description: 'who own',
        permission: 'owner',
        units_map: every('owner'),
        includes_all_repositories: true,
        can_create_org_repo: true,
      });
    });
  });

  describe('DELETE /teams/{id}', () => {
    it('is for owners and site administrators', async () => {
      const { api, member, stranger, wrong, readersId } = world();
      expect(
        await statuses([api.anonymous, wrong, stranger, member], (client) =>
          client.delete(`/teams/${readersId}`),
        ),
      ).to.deep.equal([401, 401, 404, 404]);
    });

    it('ends the membership of who is in no other team', async () => {
      const { owner, member, stranger } = world();
      const { id } = await fresh();
      await joined(owner, id, member);
      await joined(owner, id, stranger);
      expect((await owner.delete(`/teams/${id}`)).status).to.equal(204);
      expect((await owner.delete(`/teams/${id}`)).status).to.equal(404);
      expect((await owner.get('/orgs/acme/members/stranger')).status).to.equal(404);
      expect((await owner.get('/orgs/acme/members/member')).status).to.equal(204);
    });

    it('is 422 for the owners', async () => {
      const { api, owner, ownersId } = world();
      expect(
        await statuses([owner, api.admin], (client) => client.delete(`/teams/${ownersId}`)),
      ).to.deep.equal([422, 422]);
    });
  });

  describe('members of a team', () => {
    it('are listed by full name to whoever may see the team', async () => {
      const { api, owner, member, stranger, readersId } = world();
      await joined(owner, readersId, owner);
      const path = `/teams/${readersId}/members`;
      expect(
        await statuses([api.anonymous, stranger, member, api.admin], (client) => client.get(path)),
      ).to.deep.equal([401, 404, 200, 200]);
      const { json, headers } = await member.get(path);
      expect(names(json)).to.deep.equal(['owner', 'member']);
      expect(headers.get('x-total-count')).to.equal('2');
      expect(names((await member.get(`${path}?limit=1&page=2`)).json)).to.deep.equal(['member']);
      expect((await owner.patch('/orgs/acme', {})).status, 'an owner in a lower team, too').to.equal(200);
      await owner.delete(`${path}/owner`);
    });

    it('that are not public are shown to no token that reaches only what is', async () => {
      const { api, owner, readersId } = world();
      const shy = await api.createUser('shy', { visibility: 'private' });
      await joined(api.admin, readersId, shy);
      const narrow = await api.createToken('owner', 'public-only', 'all');
      const path = `/teams/${readersId}/members`;
      for (const [client, status, expected] of [
        [owner, 200, ['member', 'shy']],
        [narrow, 404, ['member']],
      ] as const) {
        const { json, headers } = await client.get(path);
        expect(names(json)).to.have.members(expected);
        expect(headers.get('x-total-count')).to.equal(String(expected.length));
        expect((await client.get(`${path}/shy`)).status).to.equal(status);
      }
      for (const remove of [`${path}/shy`, '/orgs/acme/members/shy'])
        expect((await narrow.delete(remove)).status).to.equal(403);
      expect((await owner.delete(`${path}/shy`)).status).to.equal(204);
      const ofAdministrator = await api.createToken(ADMIN.username, 'public-only', 'all');
      expect((await ofAdministrator.put(`${path}/shy`)).status).to.equal(403);
    });

    it('are found by name', async () => {
      const { member, owner, readersId } = world();
      const found = await owner.get(`/teams/${readersId}/members/MEMBER`);
      expect([found.status, (found.json as { login: string }).login]).to.deep.equal([200, 'member']);
      for (const name of ['owner', 'nobody', '%00'])
        expect((await member.get(`/teams/${readersId}/members/${name}`)).status, name).to.equal(404);
    });

    for (const method of ['PUT', 'DELETE'])
      it(`${method} is for owners and site administrators`, async () => {
        const { api, member, stranger, wrong, readersId, ownersId } = world();
        const clients = [api.anonymous, wrong, stranger, member];
        const call = (id: number) => (client: typeof api.admin) =>
          client.send(method, `/teams/${id}/members/stranger`);
        expect(await statuses(clients, call(readersId))).to.deep.equal([401, 401, 404, 404]);
        expect(await statuses(clients, call(ownersId))).to.deep.equal([401, 401, 404, 403]);
        expect((await api.admin.send(method, `/teams/${readersId}/members/nobody`)).status).to.equal(404);
      });

    it('join the organization concealed, and leave it with their last team; both can be repeated', async () => {
      const { owner, stranger } = world();
      const { id } = await fresh();
      const path = `/teams/${id}/members/stranger`;
      expect(await statuses([owner, owner], (client) => client.put(path))).to.deep.equal([204, 204]);
      expect((await stranger.get('/orgs/acme/members/stranger')).status).to.equal(204);
      expect((await stranger.get('/orgs/acme/public_members/stranger')).status).to.equal(404);
      expect(await statuses([owner, owner], (client) => client.delete(path))).to.deep.equal([204, 204]);
      expect((await stranger.get('/orgs/acme/teams')).status).to.equal(403);
    });

    it('are no organizations', async () => {
      const { owner, readersId } = world();
      expect((await owner.put(`/teams/${readersId}/members/acme`)).status).to.equal(422);
    });

    it('always leave an owner', async () => {
      const { api, owner, ownersId } = world();
      expect(
        await statuses([owner, api.admin], (client) => client.delete(`/teams/${ownersId}/members/owner`)),
      ).to.deep.equal([422, 422]);
    });
  });

  describe('GET /user/teams', () => {
    it('lists the teams of the caller with their organizations, and is 401 for nobody', async () => {
      const { api, owner } = world();
      const joiner = await api.createUser('teamjoiner');
      await found(joiner, { username: 'zz-joined' });
      await joined(owner, world().readersId, joiner);
      const { json, headers } = await joiner.get('/user/teams');
      const seen = (json as { name: string; organization: { name: string } }[]).map(
        ({ name, organization }) => `${organization.name}/${name}`,
      );
      expect(seen).to.deep.equal(['Acme/readers', 'zz-joined/Owners']);
      expect(headers.get('x-total-count')).to.equal('2');
      await found(joiner, { username: 'zz-private', visibility: 'private' });
      const narrow = await api.createToken('teamjoiner', 'public-only', 'all');
      for (const [client, count] of [
        [joiner, 3],
        [narrow, 2],
      ] as const) {
        const answer = await client.get('/user/teams');
        expect(answer.json).to.have.lengthOf(count);
        expect(answer.headers.get('x-total-count')).to.equal(String(count));
      }
      expect((await api.anonymous.get('/user/teams')).status).to.equal(401);
    });
  });
});
