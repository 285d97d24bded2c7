import { expect } from 'chai';
import { found, joined, names, organizationsApi, statuses, team } from './world.js';

describe('members of an organization', () => {
  const world = organizationsApi();
  const logins = names;

  describe('GET /orgs/{org}/members', () => {
    it('is 401 for nobody and 404 for an unknown organization', async () => {
      const { api, wrong } = world();
      expect(
        await statuses([api.anonymous, wrong], (client) => client.get('/orgs/acme/members')),
      ).to.deep.equal([401, 401]);
      expect(
        await statuses([api.anonymous, api.admin], (client) => client.get('/orgs/nobody/members')),
      ).to.deep.equal([404, 404]);
    });

    it('lists all by name to members and site administrators, and to strangers those who say so', async () => {
      const { api, owner, member, stranger } = world();
      const shown = async (client: typeof owner | typeof api.admin) =>
        logins((await client.get('/orgs/acme/members')).json);
      for (const client of [owner, member, api.admin])
        expect(await shown(client)).to.deep.equal(['member', 'owner']);
      expect(await shown(stranger)).to.deep.equal([]);
      await member.put('/orgs/acme/public_members/member');
      expect(await shown(stranger)).to.deep.equal(['member']);
      await member.delete('/orgs/acme/public_members/member');
    });

    it('comes in pages with the number of all, without links', async () => {
      const { json, headers } = await world().owner.get('/orgs/acme/members?limit=1&page=2');
      expect(logins(json)).to.deep.equal(['owner']);
      expect([headers.get('x-total-count'), headers.get('link')]).to.deep.equal(['2', null]);
    });
  });

  describe('GET /orgs/{org}/members/{username}', () => {
    const status = (client: { get: (path: string) => Promise<{ status: number }> }, name: string) =>
      client.get(`/orgs/acme/members/${name}`).then((answer) => answer.status);

    it('is 401 for nobody', async () => {
      expect(await status(world().api.anonymous, 'member')).to.equal(401);
    });

    it('tells members and site administrators of concealed members too', async () => {
      const { api, owner, member } = world();
      for (const client of [owner, member, api.admin]) {
        expect(await status(client, 'MEMBER')).to.equal(204);
        expect(await status(client, 'stranger')).to.equal(404);
        expect(await status(client, 'nobody')).to.equal(404);
      }
    });

    it('tells strangers of public members alone', async () => {
      const { member, stranger } = world();
      expect(await status(stranger, 'member')).to.equal(404);
      expect(await status(stranger, 'stranger')).to.equal(404);
      await member.put('/orgs/acme/public_members/member');
      expect(await status(stranger, 'member')).to.equal(204);
      await member.delete('/orgs/acme/public_members/member');
    });

    it('has no body, neither when it is 204 nor when it is 404', async () => {
      const { owner } = world();
      for (const name of ['member', 'stranger', 'nobody', 'a%2Fb']) {
        const { text, headers } = await owner.get(`/orgs/acme/members/${name}`);
        expect([text, headers.get('content-type')], name).to.deep.equal(['', null]);
      }
    });
  });

  describe('members whom not everybody may know', () => {
    it('are hidden in lists and answers from whoever may not, public members or not', async () => {
      const { api, owner, stranger } = world();
      const [secret, shy, friend] = await Promise.all([
        api.createUser('secret', { visibility: 'private' }),
        api.createUser('shy', { visibility: 'limited' }),
        api.createUser('friend'),
      ]);
      await found(owner, { username: 'open' });
      const teamId = await team(owner, 'open', { name: 'all', units: ['repo.code'] });
      for (const user of [secret, shy]) {
        await joined(api.admin, teamId, user);
        await user.put(`/orgs/open/public_members/${user.username}`);
      }
      await found(friend, { username: 'elsewhere' });
      const other = await team(friend, 'elsewhere', { name: 'all', units: ['repo.code'] });
      await joined(api.admin, other, secret);

      for (const [client, known] of [
        [api.anonymous, []],
        [await api.createToken('owner', 'public-only', 'all'), []],
        [stranger, ['shy']],
        [friend, ['secret', 'shy']],
        [secret, ['secret', 'shy']],
        [api.admin, ['secret', 'shy']],
      ] as const) {
        const list = await client.get('/orgs/open/public_members');
        expect([logins(list.json), list.headers.get('x-total-count')]).to.deep.equal([
          known,
          String(known.length),
        ]);
      }
      const narrow = await api.createToken('owner', 'public-only', 'all');
      for (const path of ['public_members', 'members'])
        expect(
          await statuses([stranger, friend, owner, narrow], (client) =>
            client.get(`/orgs/open/${path}/secret`),
          ),
          path,
        ).to.deep.equal([404, 204, 204, 404]);
      expect((await narrow.get('/orgs/open/members/owner')).status).to.equal(204);
      for (const [client, known] of [
        [owner, ['secret', 'shy']],
        [narrow, []],
      ] as const) {
        const list = await client.get(`/teams/${teamId}/members`);
        expect([logins(list.json), list.headers.get('x-total-count')]).to.deep.equal([
          known,
          String(known.length),
        ]);
        const { status } = await client.get(`/teams/${teamId}/members/secret`);
        expect(status).to.equal(known.length > 0 ? 200 : 404);
      }
      expect(logins((await stranger.get('/orgs/open/members')).json)).to.deep.equal(['shy']);
      expect(logins((await friend.get('/orgs/open/members')).json)).to.deep.equal(['secret', 'shy']);
    });

    it('are nobody to owners of other organizations', async () => {
      const { api, owner, readersId } = world();
      await api.createUser('recluse', { visibility: 'private' });
      for (const path of ['/orgs/acme/members', '/orgs/acme/public_members', `/teams/${readersId}/members`]) {
        const absent = await owner.delete(`${path}/nobody`);
        const hidden = await owner.delete(`${path}/recluse`);
        expect([hidden.status, hidden.text], path).to.deep.equal([404, absent.text]);
      }
      await found(api.admin, { username: 'hideout', visibility: 'private' });
      const absent = await owner.put(`/teams/${readersId}/members/nobody`);
      for (const name of ['recluse', 'hideout']) {
        const hidden = await owner.put(`/teams/${readersId}/members/${name}`);
        expect([hidden.status, hidden.text], name).to.deep.equal([404, absent.text]);
      }
      expect((await owner.get('/users/recluse')).status).to.equal(404);
      expect((await owner.put('/orgs/acme/public_members/recluse')).status).to.equal(404);
    });
  });

  describe('whoever loses a team', () => {
    it('is taken off the issues that it cannot be assigned to any more', async () => {
      const { api, owner } = world();
      const quitter = await api.createUser('quitter');
      await found(owner, { username: 'tracker' });
      const writers = async (name: string) => {
        const all = { includes_all_repositories: true };
        const id = await team(owner, 'tracker', {
          name,
          permission: 'write',
          units: ['repo.issues'],
          ...all,
        });
        await joined(owner, id, quitter);
        return id;
      };
      expect((await owner.post('/orgs/tracker/repos', { name: 'project' })).status).to.equal(201);
      const issue = { title: 'both', assignees: ['quitter', 'owner'] };
      const assigned = async () => {
        const { json } = await owner.get('/repos/tracker/project/issues/1');
        return logins((json as { assignees: unknown }).assignees);
      };
      const first = await writers('first');
      const second = await writers('second');
      expect((await owner.post('/repos/tracker/project/issues', issue)).status).to.equal(201);
      expect((await owner.delete(`/teams/${first}/members/quitter`)).status).to.equal(204);
      expect(await assigned()).to.deep.equal(['quitter', 'owner']);

      for (const path of [
        `/teams/${second}/members/quitter`,
        '/orgs/tracker/members/quitter',
        `/teams/${second}`,
      ]) {
        await joined(owner, second, quitter);
        await owner.patch('/repos/tracker/project/issues/1', { assignees: ['quitter', 'owner'] });
        expect(await assigned()).to.deep.equal(['quitter', 'owner']);
        expect((await owner.delete(path)).status, path).to.equal(204);
        expect(await assigned(), path).to.deep.equal(['owner']);
      }
    });

    it('or the team the repository, or its rights, is taken off them too', async () => {
      const { api, owner } = world();
      const worker = await api.createUser('worker');
      await found(owner, { username: 'shop' });
      await found(owner, { username: 'branch' });
      expect((await owner.post('/orgs/shop/repos', { name: 'project' })).status).to.equal(201);
      const rights = { name: 'few', permission: 'write', units: ['repo.issues'] };
      const id = await team(owner, 'shop', rights);
      await joined(owner, id, worker);
      const assigned = async () => {
        const { json } = await owner.get('/repos/shop/project/issues/1');
        return logins((json as { assignees: unknown }).assignees);
      };
      const issue = '/repos/shop/project/issues/1';
      expect((await owner.post('/repos/shop/project/issues', { title: 'to do' })).status).to.equal(201);

      const all = { includes_all_repositories: true };
      const losses = [
        ['DELETE', `/teams/${id}/repos/shop/project`],
        ['DELETE', '/repos/shop/project/teams/few'],
        ['PATCH', `/teams/${id}`, { permission: 'read', units: ['repo.code'] }],
      ] as const;
      for (const [method, path, body] of losses) {
        await owner.patch(`/teams/${id}`, rights);
        await owner.put(`/teams/${id}/repos/shop/project`);
        await owner.patch(issue, { assignees: ['worker', 'owner'] });
        expect(await assigned()).to.deep.equal(['worker', 'owner']);
        await owner.patch(`/teams/${id}`, all);
        await owner.patch(`/teams/${id}`, { includes_all_repositories: false, description: 'few' });
        expect(await assigned()).to.deep.equal(['worker', 'owner']);
        expect((await owner.send(method, path, body)).status, path).to.be.within(200, 204);
        expect(await assigned(), path).to.deep.equal(['owner']);
      }
    });
  });

  describe('GET /orgs/{org}/public_members', () => {
    it('lists to anyone those who say that they are members, and answers for each without a body', async () => {
      const { api, owner, member } = world();
      expect((await api.anonymous.get('/orgs/acme/public_members')).json).to.deep.equal([]);
      const concealed = await owner.get('/orgs/acme/public_members/member');
      expect([concealed.status, concealed.text]).to.deep.equal([404, '']);
      await member.put('/orgs/acme/public_members/member');
      const list = await api.anonymous.get('/orgs/acme/public_members');
      expect(logins(list.json)).to.deep.equal(['member']);
      expect(list.headers.get('x-total-count')).to.equal('1');
      const shown = await api.anonymous.get('/orgs/acme/public_members/member');
      expect([shown.status, shown.text]).to.deep.equal([204, '']);
      await member.delete('/orgs/acme/public_members/member');
      for (const path of ['/orgs/acme/public_members/nobody', '/orgs/nobody/public_members/member'])
        expect(await api.anonymous.get(path), path).to.include({ status: 404, text: '' });
      expect(await owner.get('/orgs/nobody/members/member')).to.include({ status: 404, text: '' });
      expect((await api.anonymous.get('/orgs/nobody/public_members')).status).to.equal(404);
    });
  });

  for (const method of ['PUT', 'DELETE'])
    describe(`${method} /orgs/{org}/public_members/{username}`, () => {
      it('is for the member itself', async () => {
        const { api, owner, member, stranger, wrong } = world();
        expect(
          await statuses([api.anonymous, wrong, stranger, owner, api.admin, member], (client) =>
            client.send(method, '/orgs/acme/public_members/member'),
          ),
        ).to.deep.equal([401, 401, 403, 403, 403, 204]);
      });

      it('can be repeated', async () => {
        const { member } = world();
        expect(
          await statuses([member, member], (client) =>
            client.send(method, '/orgs/acme/public_members/member'),
          ),
        ).to.deep.equal([204, 204]);
      });

      it('is 404 for an unknown user, and for an administrator who is no member', async () => {
        const { api, member } = world();
        expect((await member.send(method, '/orgs/acme/public_members/nobody')).status).to.equal(404);
        expect((await api.admin.send(method, '/orgs/acme/public_members/root')).status).to.equal(404);
        expect((await member.send(method, '/orgs/nobody/public_members/member')).status).to.equal(404);
      });
    });

  describe('DELETE /orgs/{org}/members/{username}', () => {
    it('is for owners and site administrators', async () => {
      const { api, member, stranger, wrong } = world();
      expect(
        await statuses([api.anonymous, wrong, stranger, member], (client) =>
          client.delete('/orgs/acme/members/member'),
        ),
      ).to.deep.equal([401, 401, 403, 403]);
    });

    it('takes the member out of every team', async () => {
      const { api, owner, stranger } = world();
      await found(owner, { username: 'leaving' });
      const teams = [
        await team(owner, 'leaving', { name: 'one', units: ['repo.code'] }),
        await team(owner, 'leaving', { name: 'two', units: ['repo.code'] }),
      ];
      for (const id of teams) await joined(owner, id, stranger);
      expect((await api.admin.delete('/orgs/leaving/members/Stranger')).status).to.equal(204);
      expect(names((await owner.get('/orgs/leaving/members')).json)).to.deep.equal(['owner']);
      for (const id of teams) expect((await owner.get(`/teams/${id}/members`)).json).to.deep.equal([]);
    });

    it('does nothing to who is no member, and is 404 for who is nobody', async () => {
      const { owner } = world();
      expect((await owner.delete('/orgs/acme/members/stranger')).status).to.equal(204);
      expect((await owner.delete('/orgs/acme/members/nobody')).status).to.equal(404);
      expect((await owner.delete('/orgs/nobody/members/member')).status).to.equal(404);
    });

    it('keeps the last owner', async () => {
      const { api, owner } = world();
      expect((await owner.delete('/orgs/acme/members/owner')).status).to.equal(422);
      expect((await api.admin.delete('/orgs/acme/members/owner')).status).to.equal(422);
    });

    it('keeps one of two owners who leave at the same instant', async () => {
      const { api, owner, stranger } = world();
      const other = await api.another();
      for (let round = 0; round < 5; round++) {
        const name = `racing-${round}`;
        await found(owner, { username: name });
        const [{ id } = { id: 0 }] = (await owner.get(`/orgs/${name}/teams`)).json as { id: number }[];
        await joined(owner, id, stranger);
        const elsewhere = other.as({ username: 'stranger', password: 'correct horse' });
        const answers = await Promise.all([
          owner.delete(`/orgs/${name}/members/owner`),
          elsewhere.delete(`/teams/${id}/members/stranger`),
        ]);
        const given = answers.map(({ status }) => status).sort();
        // Whoever comes second may by then be no owner in the eyes of its api, and is refused as a stranger.
        expect(given[0]).to.equal(204);
        expect(given[1]).to.be.oneOf([403, 404, 422]);
        expect((await api.admin.get(`/teams/${id}/members`)).json).to.have.length(1);
      }
    });
  });
});
