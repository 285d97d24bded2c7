import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { VISIBLE_WITHIN_MS } from '../../../src/read-your-writes/read-your-writes.js';
import { PASSWORD } from '../../support/api.js';
import type { Client } from '../../support/client.js';
import { found, statuses } from '../organizations/world.js';
import { done, firstHash, peopleApi, repository } from './people.js';

interface Fork {
  readonly full_name: string;
  readonly parent: { readonly full_name: string } | null;
}

describe('forks', () => {
  const world = peopleApi();
  let count = 0;

  /** A public repository of the owner's with one commit; its name. */
  async function fresh(fields: object = {}): Promise<string> {
    const name = `base-${(count += 1)}`;
    await repository(world().owner, '/user/repos', { name, auto_init: true, ...fields });
    return name;
  }
  const stored = async (user: string) => {
    const json = await done(world().api.admin.get(`/admin/users/${user}/quota`));
    const { used } = json as { used: { size: { repos: { public: number } } } };
    return used.size.repos.public;
  };
  const forks = (name: string) => `/repos/owner/${name}/forks`;

  it('are not there where they are switched off', async () => {
    const { api } = world();
    const strict = await api.another({
      config: { copies: { forks: false, migrations: true, mirrors: true } },
    });
    const owner = strict.as({ username: 'owner', password: PASSWORD });
    const path = forks('open');
    expect((await owner.get(path)).status).to.equal(404);
    expect((await owner.post(path, { name: 'other' })).status).to.equal(404);
  });

  describe('POST /repos/{owner}/{repo}/forks', () => {
    it('is for whoever is signed in and sees the repository', async () => {
      const { api, wrong, stranger, reader } = world();
      expect(
        await statuses([api.anonymous, wrong], (client) => client.post('/repos/owner/open/forks', '{')),
      ).to.deep.equal([401, 401]);
      expect(
        await statuses([api.anonymous, stranger], (client) => client.post('/repos/owner/shut/forks', '{')),
      ).to.deep.equal([404, 404]);
      expect((await reader.post('/repos/owner/shut/forks', '{')).status).to.equal(422);
    });

    it('is private where its base became so meanwhile, and counts as that', async () => {
      const { owner, stranger, api } = world();
      const used = async () => {
        const json = await done(api.admin.get('/admin/users/stranger/quota'));
        return (json as { used: { size: { repos: object } } }).used.size.repos;
      };
      const before = await used();
      const name = await fresh();
      const [fork] = await Promise.all([
        stranger.post(forks(name)),
        owner.patch(`/repos/owner/${name}`, { private: true }),
      ]);
      const made = await api.admin.get(`/repos/stranger/${name}`);
      expect([202, 404]).to.include(fork.status);
      expect(made.status).to.equal(fork.status === 202 ? 200 : 404);
      if (made.status === 200) expect(made.json).to.include({ private: true });
      expect(await used()).to.include({ public: (before as { public: number }).public });
    });

    it('copies the history, the settings that go with it, and nothing else', async () => {
      const { api, owner, stranger } = world();
      const name = await fresh({ description: 'about', default_branch: 'trunk' });
      await done(owner.put(`/repos/owner/${name}/topics`, { topics: ['a'] }));
      const before = await stored('stranger');
      const answer = await stranger.post(forks(name));
      expect(answer.status, answer.text).to.equal(202);
      expect(answer.json).to.deep.include({
        full_name: `stranger/${name}`,
        fork: true,
        private: false,
        empty: false,
        description: 'about',
        default_branch: 'trunk',
        has_code: true,
        has_issues: false,
        has_wiki: false,
        has_pull_requests: true,
        topics: [],
        permissions: { admin: true, push: true, pull: true },
      });
      expect((answer.json as Fork).parent?.full_name).to.equal(`owner/${name}`);
      expect(await firstHash(api, `stranger/${name}`, 'trunk')).to.equal(
        await firstHash(api, `owner/${name}`, 'trunk'),
      );
      const base = (await api.anonymous.get(`/repos/owner/${name}`)).json;
      expect(base).to.deep.include({ forks_count: 1, fork: false, parent: null });
      expect((await stored('stranger')) - before).to.be.greaterThan(200);
    });

    it('copies an empty repository', async () => {
      const name = await fresh({ auto_init: false });
      const { status, json } = await world().stranger.post(forks(name));
      expect([status, (json as { empty: boolean }).empty]).to.deep.equal([202, true]);
    });

    it('takes another name and an organization', async () => {
      const { member } = world();
      const name = await fresh();
      const { status, json } = await member.post(forks(name), { name: 'copied', organization: 'ACME' });
      expect([status, (json as Fork).full_name]).to.deep.equal([202, 'acme/copied']);
      expect(json).to.deep.include({ permissions: { admin: true, push: true, pull: true } });
    });

    it('of what is private, or of somebody private, is private', async () => {
      const { api, reader } = world();
      expect((await reader.post('/repos/owner/shut/forks')).json).to.deep.include({ private: true });
      await api.createUser('recluse', { visibility: 'private' });
      await done(api.admin.post('/admin/users/recluse/repos', { name: 'cave' }));
      await done(api.admin.put('/repos/recluse/cave/collaborators/reader', { permission: 'read' }));
      expect((await reader.post('/repos/recluse/cave/forks')).json).to.deep.include({ private: true });

      const edits = [
        [reader, '/repos/reader/cave', false],
        [reader, '/repos/reader/cave', true],
        [api.admin, '/repos/recluse/cave', false],
      ] as const;
      for (const [client, path, isPrivate] of edits) {
        await done(client.patch(path, { private: isPrivate }));
        expect(await done(reader.get('/repos/reader/cave')), path).to.deep.include({ private: true });
      }
    });

    it('is private while the owner of its base is, whoever that is by then', async () => {
      const { api, owner, stranger } = world();
      const before = await stored('stranger');
      await found(owner, { username: 'shy' });
      await done(owner.post('/orgs/shy/repos', { name: 'seen', auto_init: true }));
      await done(stranger.post('/repos/shy/seen/forks'));
      await done(owner.post('/repos/shy/seen/forks', { name: 'own' }));
      await done(stranger.post('/repos/owner/own/forks', { name: 'second-hand' }));
      const hidden = async () => {
        const forks = ['stranger/seen', 'owner/own', 'stranger/second-hand'].map((path) =>
          done(api.admin.get(`/repos/${path}`)),
        );
        return (await Promise.all(forks)).map((fork) => (fork as { private: boolean }).private);
      };
      const edits = [
        [() => owner.patch('/orgs/shy', { visibility: 'private' }), true],
        [() => owner.patch('/orgs/shy', { visibility: 'limited' }), false],
        [() => api.admin.patch('/admin/users/shy', { visibility: 'private' }), true],
        [() => owner.post('/repos/shy/seen/transfer', { new_owner: 'acme' }), false],
        [() => owner.post('/repos/acme/seen/transfer', { new_owner: 'shy' }), true],
      ] as const;
      for (const [index, [edit, expected]] of edits.entries()) {
        await done(edit());
        expect(await hidden(), `edit ${index}`).to.deep.equal([expected, expected, expected]);
      }
      expect(await stored('stranger')).to.equal(before);
    });

    it('is refused before anything is done where the token reaches only what is public', async () => {
      const { api, owner } = world();
      const narrow = await api.createToken('owner', 'public-only', 'all');
      await found(owner, { username: 'closed', visibility: 'private' });
      const name = await fresh();
      for (const [method, path, body, done] of [
        ['POST', forks(name), { organization: 'closed' }, `/repos/closed/${name}`],
        ['POST', '/user/repos', { name: 'narrow', private: true }, '/repos/owner/narrow'],
        ['POST', '/orgs/acme/repos', { name: 'narrow', private: true }, '/repos/acme/narrow'],
        ['POST', `/repos/owner/${name}/transfer`, { new_owner: 'closed' }, `/repos/closed/${name}`],
      ] as const) {
        expect((await narrow.send(method, path, body)).status, path).to.equal(403);
        expect((await owner.get(done)).status, done).to.equal(404);
      }
      expect((await narrow.patch(`/repos/owner/${name}`, { private: true })).status).to.equal(403);
      expect((await owner.get(`/repos/owner/${name}`)).json).to.deep.include({ private: false });
    });

    it('is 422 for an organization that is not there, or a name that cannot be', async () => {
      const { owner, stranger } = world();
      const name = await fresh();
      await found(owner, { username: 'hidden', visibility: 'private' });
      for (const body of [
        { organization: 'nobody-at-all' },
        { organization: 'hidden' },
        { organization: 'owner' },
        { name: 'a b' },
        { name: '..' },
        { name: 5 },
      ])
        expect((await stranger.post(forks(name), body)).status, JSON.stringify(body)).to.equal(422);
    });

    it('is 403 for who is no member of the organization, site administrators too', async () => {
      const { api, stranger } = world();
      const name = await fresh();
      expect(
        await statuses([stranger, api.admin], (client) => client.post(forks(name), { organization: 'acme' })),
      ).to.deep.equal([403, 403]);
    });

    it('is made again once the first one is deleted by the log, though the read models are late', async () => {
      const { api, stranger } = world();
      const name = await fresh();
      await done(stranger.post(forks(name)));
      await api.pauseProjector();
      expect((await api.admin.delete(`/repos/stranger/${name}`)).status).to.equal(204);
      const forking = stranger.post(forks(name));
      await sleep(VISIBLE_WITHIN_MS);
      api.resumeProjector();
      const { status, text } = await forking;
      expect(status, text).to.equal(202);
    });

    it('is 409 for a second fork, a taken name, and one more repository than allowed', async () => {
      const { api, owner, stranger } = world();
      const name = await fresh();
      expect((await stranger.post(forks(name))).status).to.equal(202);
      expect((await stranger.post(forks(name), { name: 'second' })).status).to.equal(409);
      expect((await owner.post(forks(name))).status).to.equal(409);
      const limited = await api.createUser('limited');
      await done(api.admin.patch('/admin/users/limited', { max_repo_creation: 0 }));
      expect((await limited.post(forks(name))).status).to.equal(409);
      expect((await owner.post(forks(name), { name: `${name}-own` })).status).to.equal(202);
    });

    it('is 409 where the first fork came by a transfer, and no more for whom it left', async () => {
      const { api, stranger } = world();
      const heir = await api.createUser('heir');
      const name = await fresh();
      await done(stranger.post(forks(name)));
      await done(api.admin.post(`/repos/stranger/${name}/transfer`, { new_owner: 'heir' }));
      expect((await heir.post(forks(name), { name: 'second' })).status).to.equal(409);
      const headers = { 'Idempotency-Key': 'second-fork' };
      expect((await heir.post(forks(name), { name: 'second' }, headers)).status).to.equal(409);
      expect((await stranger.post(forks(name))).status).to.equal(202);
    });

    it('is 413 where the new owner has no room, and leaves nothing', async () => {
      const { api } = world();
      const poor = await api.createUser('poor');
      await done(
        api.admin.post('/admin/quota/groups', {
          name: 'tiny',
          rules: [{ name: 'tiny', limit: 1, subjects: ['size:all'] }],
        }),
      );
      await done(api.admin.put('/admin/quota/groups/tiny/users/poor'));
      const name = await fresh();
      const { status, json } = await poor.post(forks(name));
      expect(status).to.equal(413);
      expect(json).to.deep.include({ username: 'poor', user_id: poor.id });
      expect((await poor.get(`/repos/poor/${name}`)).status).to.equal(404);
      await done(api.admin.delete('/admin/quota/groups/tiny/users/poor'));
      expect((await poor.post(forks(name))).status).to.equal(202);
    });

    it('keeps no more room than it takes while it is made', async () => {
      const { api, stranger } = world();
      const name = await fresh();
      expect((await stranger.post(forks(name), {})).status).to.equal(202);
      const events = await api.connections.log.readStream(`storageLedger-${world().stranger.id}`);
      const reserved = events
        .filter(({ type }) => type === 'ReservationRenewed')
        .map(({ data }) => data.bytes);
      expect(Math.max(...reserved.map(Number))).to.be.below(100_000);
    });

    it('lets one of many at once have the fork', async () => {
      const { api, stranger } = world();
      const other = (await api.another()).as({ username: 'stranger', password: 'correct horse' });
      const name = await fresh();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 ? stranger : other).post(forks(name), index < 4 ? {} : { name: `${name}-${index}` }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        202,
        ...new Array<number>(7).fill(409),
      ]);
      expect((await stranger.get(`/repos/owner/${name}`)).json).to.deep.include({ forks_count: 1 });
    });

    it('may be made again once it was deleted', async () => {
      const { stranger } = world();
      const name = await fresh();
      for (let turn = 0; turn < 2; turn++) {
        expect((await stranger.post(forks(name))).status).to.equal(202);
        await done(stranger.delete(`/repos/stranger/${name}`));
      }
    });

    it('tells of its base only who may see that, with the token that was given', async () => {
      const { api, owner, reader, stranger } = world();
      const parents = async (path: string, clients: readonly Client[]) => {
        const answers = await Promise.all(clients.map((client) => done(client.get(path))));
        return answers.map((json) => (json as Fork).parent?.full_name);
      };
      const name = await fresh({ private: true });
      const collaborator = `/repos/owner/${name}/collaborators/reader`;
      await done(owner.put(collaborator, { permission: 'read' }));
      await done(reader.post(forks(name)));
      expect(await parents(`/repos/reader/${name}`, [reader])).to.deep.equal([`owner/${name}`]);
      await done(owner.delete(collaborator));
      expect(await parents(`/repos/reader/${name}`, [reader])).to.deep.equal([undefined]);
      const own = (await done(reader.get('/user/repos'))) as Fork[];
      expect(own.find(({ full_name }) => full_name === `reader/${name}`)?.parent).to.equal(null);

      await found(owner, { username: 'circle', visibility: 'limited' });
      await repository(owner, '/orgs/circle/repos', { name: 'inner', auto_init: true });
      await done(stranger.post('/repos/circle/inner/forks'));
      const narrow = await api.createToken('stranger', 'public-only', 'all');
      expect(await parents('/repos/stranger/inner', [stranger, reader, narrow, api.anonymous])).to.deep.equal(
        ['circle/inner', 'circle/inner', undefined, undefined],
      );
    });

    it('survives its base', async () => {
      const { owner, stranger } = world();
      const name = await fresh();
      await done(stranger.post(forks(name)));
      await done(owner.delete(`/repos/owner/${name}`));
      expect((await stranger.get(`/repos/stranger/${name}`)).json).to.deep.include({
        fork: false,
        parent: null,
        empty: false,
      });
    });
  });

  describe('GET /repos/{owner}/{repo}/forks', () => {
    it('is for whoever sees the repository', async () => {
      const { api, wrong, stranger, reader } = world();
      const clients = [api.anonymous, wrong, stranger, reader];
      expect(await statuses(clients, (client) => client.get('/repos/owner/shut/forks'))).to.deep.equal([
        404, 401, 404, 200,
      ]);
      expect((await api.anonymous.get('/repos/owner/open/forks')).status).to.equal(200);
    });

    it('lists and counts the forks that the caller sees, in pages', async () => {
      const { api, owner, reader, writer } = world();
      const name = await fresh({ private: true });
      for (const fork of [reader, writer]) {
        await done(owner.put(`/repos/owner/${name}/collaborators/${fork.username}`));
        await done(fork.post(forks(name)));
      }
      const seen = async (client: Client, query = '') => {
        const { json, headers } = await client.get(forks(name) + query);
        const owners = (json as Fork[]).map((fork) => fork.full_name.split('/')[0]);
        return [owners, headers.get('x-total-count')];
      };
      expect(await seen(owner)).to.deep.equal([[], '0']);
      expect(await seen(writer)).to.deep.equal([['writer'], '1']);
      expect(await seen(api.admin)).to.deep.equal([['reader', 'writer'], '2']);
      expect(await seen(api.admin, '?limit=1&page=2')).to.deep.equal([['writer'], '2']);
    });
  });
});
