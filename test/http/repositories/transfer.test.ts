import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { VISIBLE_WITHIN_MS } from '../../../src/read-your-writes/read-your-writes.js';
import type { TestUser } from '../../support/api.js';
import type { Client } from '../../support/client.js';
import { found, joined, names, statuses, team } from '../organizations/world.js';
import { done, firstHash, peopleApi, repository } from './people.js';

interface Told {
  readonly full_name: string;
  readonly repo_transfer: {
    readonly doer: { readonly login: string };
    readonly recipient: { readonly login: string };
    readonly teams: readonly { readonly name: string }[];
  } | null;
}

describe('transfers', () => {
  const world = peopleApi();
  let count = 0;

  /** A repository of the owner's; its name. */
  async function fresh(fields: object = {}): Promise<string> {
    const name = `moving-${(count += 1)}`;
    await repository(world().owner, '/user/repos', { name, auto_init: true, ...fields });
    return name;
  }
  const place = (name: string) => `/repos/owner/${name}/transfer`;
  const used = async (user: string) => {
    const json = await done(world().api.admin.get(`/admin/users/${user}/quota`));
    const { used } = json as { used: { size: { repos: { public: number; private: number } } } };
    return used.size.repos;
  };

  describe('POST /repos/{owner}/{repo}/transfer', () => {
    it('is for owners', async () => {
      const { api, wrong, stranger, writer, administrator } = world();
      const clients = [api.anonymous, wrong, stranger, writer, administrator];
      expect(
        await statuses(clients, (client) => client.post('/repos/owner/open/transfer', '{')),
      ).to.deep.equal([401, 401, 403, 403, 403]);
      expect(
        await statuses(clients, (client) => client.post('/repos/owner/shut/transfer', '{')),
      ).to.deep.equal([404, 401, 404, 403, 403]);
    });

    it('asks the new owner first', async () => {
      const { api, owner, stranger } = world();
      const name = await fresh({ private: true });
      const { status, json } = await owner.post(place(name), { new_owner: 'Stranger' });
      expect(status).to.equal(201);
      const told = json as Told;
      expect(told.full_name).to.equal(`owner/${name}`);
      expect([told.repo_transfer?.doer.login, told.repo_transfer?.recipient.login]).to.deep.equal([
        'owner',
        'stranger',
      ]);
      expect((await owner.get(`/repos/owner/${name}`)).json).to.deep.equal(json);
      expect((await owner.post(place(name), { new_owner: 'reader' })).status).to.equal(409);

      const before = await used('stranger');
      const accepted = await stranger.post(`${place(name)}/accept`);
      expect(accepted.status, accepted.text).to.equal(202);
      expect(accepted.json).to.deep.include({ full_name: `stranger/${name}`, repo_transfer: null });
      expect((await owner.get(`/repos/stranger/${name}`)).status).to.equal(404);
      expect((await used('stranger')).private - before.private).to.be.greaterThan(200);
      expect(await firstHash(api, `stranger/${name}`)).to.match(/^[0-9a-f]{40}$/);
      const old = await stranger.get(`/repos/owner/${name}`);
      expect(old.status).to.equal(307);
      expect(old.headers.get('location')).to.match(new RegExp(`/repos/stranger/${name}$`));
    });

    it('happens at once where the caller speaks for both, and takes the bytes along', async () => {
      const { owner, member, readersId } = world();
      const name = await fresh({ private: true });
      const before = await used('owner');
      const { status, json } = await owner.post(place(name), { new_owner: 'acme', team_ids: [readersId] });
      expect(status).to.equal(202);
      expect(json).to.deep.include({ full_name: `acme/${name}`, repo_transfer: null });
      expect(before.private - (await used('owner')).private).to.be.greaterThan(200);
      expect(names((await member.get(`/teams/${readersId}/repos`)).json)).to.include(name);
      const back = await owner.post(`/repos/acme/${name}/transfer`, { new_owner: 'owner' });
      expect([back.status, (back.json as Told).full_name]).to.deep.equal([202, `owner/${name}`]);
      expect((await member.get(`/repos/owner/${name}`)).status).to.equal(404);
      expect(names((await member.get(`/teams/${readersId}/repos`)).json)).to.not.include(name);
      expect((await owner.get(`/repos/owner/${name}`)).status).to.equal(200);
    });

    it('happens at once for site administrators, and the new owner is no collaborator', async () => {
      const { api, owner, reader } = world();
      const name = await fresh();
      await done(owner.put(`/repos/owner/${name}/collaborators/reader`));
      expect((await api.admin.post(place(name), { new_owner: 'reader' })).status).to.equal(202);
      expect((await reader.get(`/repos/reader/${name}/collaborators`)).json).to.deep.equal([]);
    });

    it('is 404 for whom nobody knows, and 422 for what cannot be', async () => {
      const { api, owner, stranger } = world();
      const name = await fresh();
      await repository(stranger, '/user/repos', { name });
      await api.createUser('recluse', { visibility: 'private' });
      await found(owner, { username: 'others' });
      const theirs = await team(owner, 'others', { name: 'theirs', units: ['repo.code'] });
      for (const [body, status] of [
        [{ new_owner: 'nobody-at-all' }, 404],
        [{ new_owner: 'recluse' }, 404],
        [{}, 422],
        [{ new_owner: 'owner' }, 422],
        [{ new_owner: 'stranger' }, 422],
        [{ new_owner: 'reader', team_ids: [theirs] }, 422],
        [{ new_owner: 'acme', team_ids: [theirs] }, 422],
        [{ new_owner: 'acme', team_ids: [999999] }, 422],
      ] as const)
        expect((await owner.post(place(name), body)).status, JSON.stringify(body)).to.equal(status);
      expect((await api.admin.post(place(name), { new_owner: 'stranger' })).status).to.equal(422);
    });

    it('is offered where a repository of that name is hidden from the caller, and then not accepted', async () => {
      const { api, owner, stranger } = world();
      const name = await fresh();
      const hidden = await repository(stranger, '/user/repos', { name, private: true });
      expect((await owner.post(place(name), { new_owner: 'stranger' })).status).to.equal(201);
      expect((await stranger.post(`${place(name)}/accept`)).status).to.equal(422);
      await done(owner.post(`${place(name)}/reject`));
      await done(stranger.put(`/repos/${hidden.full_name}/collaborators/owner`));
      expect((await owner.post(place(name), { new_owner: 'stranger' })).status).to.equal(422);
      const narrow = await api.createToken('owner', 'public-only', 'all');
      expect((await narrow.post(place(name), { new_owner: 'stranger' })).status).to.equal(201);
    });

    it('is offered where the name is free by the log, though the read models are late', async () => {
      const { api, owner, stranger } = world();
      const name = await fresh();
      await repository(stranger, '/user/repos', { name });
      await api.pauseProjector();
      expect((await api.admin.delete(`/repos/stranger/${name}`)).status).to.equal(204);
      const offering = owner.post(place(name), { new_owner: 'stranger' });
      await sleep(VISIBLE_WITHIN_MS);
      api.resumeProjector();
      const { status, text } = await offering;
      expect(status, text).to.equal(201);
    });

    it('finds whoever shares an organization with the caller', async () => {
      const { api, owner } = world();
      const mate = await api.createUser('mate', { visibility: 'private' });
      await found(owner, { username: 'shared' });
      await joined(api.admin, await team(owner, 'shared', { name: 'all', units: ['repo.code'] }), mate);
      const name = await fresh();
      const answer = await owner.post(place(name), { new_owner: 'mate' });
      expect(answer.status, answer.text).to.equal(201);
      const recipient = async (client: Client) =>
        ((await client.get(`/repos/owner/${name}`)).json as Told).repo_transfer?.recipient.login;
      for (const client of [owner, mate, api.admin]) expect(await recipient(client)).to.equal('mate');
      const narrow = await api.createToken('owner', 'public-only', 'all');
      for (const client of [api.anonymous, world().stranger, narrow])
        expect(await recipient(client)).to.equal(undefined);
    });

    it('is 413 where the new owner has no room, when asked and when accepting', async () => {
      const { api, owner } = world();
      const poor = await api.createUser('poor');
      await done(
        api.admin.post('/admin/quota/groups', {
          name: 'nothing',
          rules: [{ name: 'nothing', limit: 0, subjects: ['size:all'] }],
        }),
      );
      const name = await fresh();
      await done(owner.post(place(name), { new_owner: 'poor' }));
      const other = await fresh();
      await done(api.admin.put('/admin/quota/groups/nothing/users/poor'));
      const asked = await owner.post(place(other), { new_owner: 'poor' });
      expect(asked.status).to.equal(413);
      const told = { message: 'quota exceeded', username: 'poor', user_id: poor.id };
      expect(asked.json).to.deep.equal(told); // what others store is not for everybody
      const accepted = await poor.post(`${place(name)}/accept`);
      expect(accepted.status).to.equal(413);
      expect(accepted.json).to.deep.include(told);
      expect(accepted.json).to.have.nested.property('reason.rule', 'nothing');
      expect((await owner.get(`/repos/owner/${name}`)).status).to.equal(200);
      expect((await poor.post(`${place(name)}/reject`)).status).to.equal(200);
    });

    it('is 413 where the new owner has too little room for it, and offered where it fits to the byte', async () => {
      const { api, owner } = world();
      await api.createUser('narrow');
      const used = async () => {
        const { json } = await api.admin.get('/admin/users/owner/quota');
        return (json as { used: { size: { repos: { public: number } } } }).used.size.repos.public;
      };
      const before = await used();
      const name = await fresh();
      const size = (await used()) - before;
      const rules = [{ name: 'narrow', limit: size - 1, subjects: ['size:repos:public'] }];
      await done(api.admin.post('/admin/quota/groups', { name: 'narrow', rules }));
      await done(api.admin.put('/admin/quota/groups/narrow/users/narrow'));
      const asked = await owner.post(place(name), { new_owner: 'narrow' });
      expect([asked.status, Object.keys(asked.json as object)]).to.deep.equal([
        413,
        ['message', 'user_id', 'username'],
      ]);
      await done(api.admin.patch('/admin/quota/rules/narrow', { limit: size }));
      expect((await owner.post(place(name), { new_owner: 'narrow' })).status).to.equal(201);
    });
  });

  describe('POST /repos/{owner}/{repo}/transfer/accept and reject', () => {
    const call =
      (name: string, what: 'accept' | 'reject') =>
      (client: Client | TestUser): ReturnType<Client['post']> =>
        client.post(`${place(name)}/${what}`);

    it('are 404 where nothing is pending', async () => {
      const { api, owner, stranger } = world();
      const name = await fresh();
      for (const what of ['accept', 'reject'] as const)
        expect(await statuses([api.anonymous, stranger, owner], call(name, what))).to.deep.equal([
          401, 404, 404,
        ]);
    });

    it('are for the recipient; an owner may take back what it offered', async () => {
      const { api, owner, stranger, reader } = world();
      const name = await fresh();
      await done(owner.post(place(name), { new_owner: 'stranger' }));
      expect(await statuses([api.anonymous, reader, owner], call(name, 'accept'))).to.deep.equal([
        401, 403, 403,
      ]);
      expect(await statuses([api.anonymous, reader], call(name, 'reject'))).to.deep.equal([401, 403]);
      const { status, json } = await owner.post(`${place(name)}/reject`);
      expect([status, (json as Told).repo_transfer]).to.deep.equal([200, null]);
      await done(owner.post(place(name), { new_owner: 'stranger' }));
      expect((await stranger.post(`${place(name)}/reject`)).status).to.equal(200);
      expect((await stranger.post(`${place(name)}/accept`)).status).to.equal(404);
    });

    it('are there as well where who asked is deleted', async () => {
      const { api, owner, stranger } = world();
      const asker = await api.createUser('asker');
      await found(owner, { username: 'asking' });
      await done(owner.post('/orgs/asking/repos', { name: 'offered' }));
      const teams = (await done(owner.get('/orgs/asking/teams'))) as { id: number }[];
      await joined(owner, teams[0]?.id ?? 0, asker);
      await done(asker.post('/repos/asking/offered/transfer', { new_owner: 'stranger' }));
      await done(api.admin.delete('/admin/users/asker'));
      const { repo_transfer: transfer } = (await done(owner.get('/repos/asking/offered'))) as Told;
      expect([transfer?.doer.login, transfer?.recipient.login]).to.deep.equal(['Ghost', 'stranger']);
      await done(stranger.post('/repos/asking/offered/transfer/accept'));
    });

    it('are for whoever may create repositories of the organization that it is offered to', async () => {
      const { api, owner, stranger, member } = world();
      const may = await api.createUser('may-receive');
      const makers = { name: 'receivers', units: ['repo.code'], can_create_org_repo: true };
      await joined(owner, await team(owner, 'acme', makers), may);
      await repository(stranger, '/user/repos', { name: 'for-acme' });
      const offer = '/repos/stranger/for-acme/transfer';
      await done(stranger.post(offer, { new_owner: 'acme' }));
      expect(await statuses([member, may], (client) => client.post(`${offer}/accept`))).to.deep.equal([
        403, 202,
      ]);
    });

    it('gives the repository to the teams that were named in the offer', async () => {
      const { owner, stranger, member, readersId } = world();
      await repository(stranger, '/user/repos', { name: 'for-a-team', private: true });
      const offer = '/repos/stranger/for-a-team/transfer';
      await done(stranger.post(offer, { new_owner: 'acme', team_ids: [readersId] }));
      await done(owner.post(`${offer}/accept`));
      expect(names((await member.get(`/teams/${readersId}/repos`)).json)).to.include('for-a-team');
    });

    it('shows the teams that were named in the offer to those who may know of them alone', async () => {
      const { api, stranger, member, readersId } = world();
      await repository(stranger, '/user/repos', { name: 'for-some-team' });
      const path = '/repos/stranger/for-some-team';
      await done(stranger.post(`${path}/transfer`, { new_owner: 'acme', team_ids: [readersId] }));
      const teamsSeenBy = async (client: Client) =>
        ((await done(client.get(path))) as Told).repo_transfer?.teams.map(({ name }) => name);
      expect(await teamsSeenBy(member)).to.deep.equal(['readers']);
      expect(await teamsSeenBy(api.admin)).to.deep.equal(['readers']);
      expect(await teamsSeenBy(stranger)).to.deep.equal([]); // to whom GET /teams/{id} is 404
      expect(await teamsSeenBy(api.anonymous)).to.deep.equal([]);
    });

    it('does not give away what is taken back or rejected at the same moment', async () => {
      const { owner, stranger } = world();
      for (const rejecting of [owner, stranger]) {
        const name = await fresh();
        await done(owner.post(place(name), { new_owner: 'stranger' }));
        const [accepted, rejected] = await Promise.all([
          stranger.post(`${place(name)}/accept`),
          rejecting.post(`${place(name)}/reject`),
        ]);
        expect([accepted.status, rejected.status].filter((status) => status < 300)).to.have.length(1);
        const { status } = await stranger.get(`/repos/stranger/${name}`);
        expect(status).to.equal(rejected.status === 200 ? 404 : 200);
      }
    });

    it('lets one of many at once have the repository', async () => {
      const { owner, stranger } = world();
      const name = await fresh();
      await done(owner.post(place(name), { new_owner: 'stranger' }));
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => stranger.post(`${place(name)}/accept`)),
      );
      expect(answers.filter(({ status }) => status === 202)).to.have.length(1);
      expect((await stranger.get(`/repos/stranger/${name}`)).status).to.equal(200);
    });
  });
});
