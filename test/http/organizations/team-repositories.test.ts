import { expect } from 'chai';
import { PASSWORD } from '../../support/api.js';
import { done, firstHash, peopleApi, repository } from '../repositories/people.js';
import type { Client } from '../../support/client.js';
import { found, joined, names, statuses, team } from './world.js';

/** What shows the code of a repository, below its path. */
const CODE_PATHS = [
  '/branches',
  '/branches/main',
  '/tags',
  '/tags/v1',
  '/commits',
  '/commits/main/status',
  '/commits/main/statuses',
  '/statuses/main',
  '/git/commits/main',
  '/git/refs',
  '/git/refs/heads',
  '/git/tags/main',
  '/git/trees/main',
  '/git/blobs/main',
  '/archive/main.zip',
  '/editorconfig/README.md',
  '/contents',
  '/contents/README.md',
  '/raw/README.md',
  '/media/README.md',
  '/languages',
  '/forks',
];

/** What shows its issues. */
const ISSUE_PATHS = [
  '/issues',
  '/issues/1',
  '/issues/1/comments',
  '/issues/comments',
  '/labels',
  '/milestones',
];

describe('the repositories of a team', () => {
  const world = peopleApi();
  const place = (name: string, org = 'acme') => `/teams/${world().readersId}/repos/${org}/${name}`;

  before(async () => {
    for (const name of ['Beta', 'alpha', 'gamma'])
      await repository(world().owner, '/orgs/acme/repos', { name, private: true });
    await done(world().owner.put(place('beta')));
    await done(world().owner.put(place('alpha')));
  });

  it('are listed by name for who may see the team, in pages', async () => {
    const { api, wrong, stranger, member, owner, readersId } = world();
    const list = `/teams/${readersId}/repos`;
    expect(
      await statuses([api.anonymous, wrong, stranger, member, owner, api.admin], (client) =>
        client.get(list),
      ),
    ).to.deep.equal([401, 401, 404, 200, 200, 200]);
    const { json, headers } = await member.get(list);
    expect(names(json)).to.deep.equal(['alpha', 'Beta']);
    expect(headers.get('x-total-count')).to.equal('2');
    expect(names((await owner.get(`${list}?limit=1&page=2`)).json)).to.deep.equal(['Beta']);
    expect((await owner.get('/teams/999999/repos')).status).to.equal(404);
    const teams = (await owner.get('/orgs/acme/teams')).json as { id: number; name: string }[];
    const owners = teams.find(({ name }) => name === 'Owners')?.id ?? 0;
    expect(names((await owner.get(`/teams/${owners}/repos`)).json)).to.deep.equal(['alpha', 'Beta', 'gamma']);
  });

  it('are found one by one', async () => {
    const { api, stranger, member, owner } = world();
    expect(
      await statuses([api.anonymous, stranger, member, owner], (client) =>
        client.get(place('ALPHA', 'ACME')),
      ),
    ).to.deep.equal([401, 404, 200, 200]);
    for (const path of [place('gamma'), place('nothing'), place('open', 'owner')])
      expect((await owner.get(path)).status, path).to.equal(404);
  });

  it('lead on from a former name of theirs, and of their former owner', async () => {
    const { owner, member } = world();
    await repository(owner, '/orgs/acme/repos', { name: 'delta' });
    await done(owner.patch('/repos/acme/delta', { name: 'epsilon' }));
    await repository(owner, '/user/repos', { name: 'given' });
    await done(owner.post('/repos/owner/given/transfer', { new_owner: 'acme' }));
    const location = async (client: Client, path: string) => {
      const { status, headers } = await client.send('GET', path);
      return [status, headers.get('location')];
    };
    const moved = `/api/v1${place('epsilon')}?a=b`;
    expect(await location(owner, `${place('DELTA')}?a=b`)).to.deep.equal([307, moved]);
    expect(await location(owner, place('given', 'owner'))).to.deep.equal([307, `/api/v1${place('given')}`]);
    for (const method of ['PUT', 'DELETE'])
      expect((await owner.send(method, place('delta'))).status, method).to.equal(307);
    await done(owner.patch('/repos/acme/epsilon', { private: true }));
    expect((await member.get(place('delta'))).status).to.equal(404);
  });

  it('are searched for issues by who may know of the team, and of its organization', async () => {
    const { api, stranger, member, owner } = world();
    const callers = [api.anonymous, stranger, member, owner, api.admin];
    const search = (query: string) =>
      statuses(callers, (client) => client.get(`/repos/issues/search?${query}`));
    expect(await search('owner=acme')).to.deep.equal([200, 200, 200, 200, 200]);
    expect(await search('owner=acme&team=Readers')).to.deep.equal([400, 400, 200, 200, 200]);
    await found(owner, { username: 'hidden', visibility: 'private' });
    expect(await search('owner=hidden')).to.deep.equal([400, 400, 400, 200, 200]);
  });

  it('are open to its members, each unit as far as the team has it', async () => {
    const { member } = world();
    expect((await member.get('/repos/acme/alpha')).json).to.deep.include({
      permissions: { admin: false, push: false, pull: true },
    });
    expect((await member.get('/repos/acme/gamma')).status).to.equal(404);
  });

  it('are in no list for members of other teams, whoever else was given them', async () => {
    const { api, owner, member, stranger, reader } = world();
    const { id } = await found(owner, { username: 'apart' });
    for (const [name, account] of [
      ['ours', member],
      ['theirs', stranger],
    ] as const) {
      await repository(owner, '/orgs/apart/repos', { name, private: true });
      await done(owner.put(`/repos/apart/${name}/collaborators/reader`, { permission: 'read' }));
      await done(owner.post(`/repos/apart/${name}/issues`, { title: name }));
      const teamId = await team(owner, 'apart', { name, units: ['repo.code', 'repo.issues'] });
      await done(owner.put(`/teams/${teamId}/repos/apart/${name}`));
      await joined(owner, teamId, account);
    }
    for (const [client, seen] of [
      [member, ['ours']],
      [stranger, ['theirs']],
      [reader, ['ours', 'theirs']],
      [owner, ['ours', 'theirs']],
      [api.admin, ['ours', 'theirs']],
    ] as const) {
      expect(names(await done(client.get('/orgs/apart/repos')))).to.deep.equal(seen);
      const searched = (await done(client.get(`/repos/search?uid=${id}`))) as { data: unknown };
      expect(names(searched.data)).to.deep.equal(seen);
      const issues = (await done(client.get('/repos/issues/search?owner=apart'))) as { title: string }[];
      expect(issues.map(({ title }) => title).sort()).to.deep.equal(seen);
    }
    const contributed = names(await done(member.get('/user/repos')));
    expect(contributed).to.include('ours').and.not.include('theirs');
  });

  it('tell of their issues and commits to members alone whose teams have that unit', async () => {
    const { api, owner, member, stranger } = world();
    await found(owner, { username: 'split' });
    for (const [unit, account] of [
      ['repo.code', member],
      ['repo.issues', stranger],
    ] as const) {
      const body = { name: `has-${unit}`, units_map: { [unit]: 'write' }, includes_all_repositories: true };
      await joined(owner, await team(owner, 'split', body), account);
    }
    await repository(owner, '/orgs/split/repos', { name: 'halves', private: true, auto_init: true });
    await done(owner.post('/repos/split/halves/issues', { title: 'for trackers' }));
    const ofAll = <T>(ask: (client: Client) => Promise<T>) => Promise.all([member, stranger, owner].map(ask));
    const issues = await ofAll((client) => client.get('/repos/issues/search?owner=split'));
    expect(issues.map(({ headers }) => headers.get('x-total-count'))).to.deep.equal(['0', '1', '1']);
    const Text = await firstHash(api, 'split/halves');
    const html = await ofAll((client) =>
      client.post('/markdown', { Text, Mode: 'comment', Context: 'split/halves' }),
    );
    expect(html.map(({ text }) => text.includes('<a href='))).to.deep.equal([true, false, true]);

    const half = '/repos/split/halves';
    expect((await stranger.get(half)).status).to.equal(200);
    for (const path of CODE_PATHS) {
      expect((await stranger.get(half + path)).status, path).to.equal(403);
      expect((await member.get(half + path)).status, path).not.to.equal(403); // what is not there is 404
    }
    for (const path of ['forks', 'generate'])
      expect((await stranger.post(`${half}/${path}`, { name: 'x', owner: 'stranger' })).status).to.equal(403);
    for (const path of ISSUE_PATHS)
      expect(await statuses([member, stranger], (client) => client.get(half + path)), path).to.deep.equal([
        404, 200,
      ]);
    expect((await member.post(`${half}/issues`, { title: 'x' })).status).to.equal(404);
  });

  it('are shown to no token that reaches only what is public where they are not', async () => {
    const { api, owner } = world();
    const narrow = await api.createToken('owner', 'public-only', 'all');
    expect((await narrow.get(place('alpha'))).status).to.equal(403);
    const { json, headers } = await narrow.get(`/teams/${world().readersId}/repos`);
    expect([json, headers.get('x-total-count')]).to.deep.equal([[], '0']);
    await found(owner, { username: 'quiet', visibility: 'limited' });
    await repository(owner, '/orgs/quiet/repos', { name: 'heard' });
    expect((await narrow.get('/repos/quiet/heard')).status).to.equal(403);
    expect((await owner.get('/repos/quiet/heard')).status).to.equal(200);
  });

  it('are given and taken by who administers them', async () => {
    const { api, stranger, member, owner } = world();
    expect(
      await statuses([api.anonymous, stranger, member], (client) => client.put(place('alpha'))),
    ).to.deep.equal([401, 404, 403]);
    expect(
      await statuses([api.anonymous, stranger, member], (client) => client.delete(place('alpha'))),
    ).to.deep.equal([401, 404, 403]);
    for (const verb of ['put', 'delete'] as const)
      expect((await owner[verb](place('open', 'owner'))).status).to.equal(404);
    expect((await member.put(place('gamma'))).status, 'it is hidden').to.equal(404);
    await done(owner.put('/repos/acme/gamma/collaborators/member', { permission: 'write' }));
    expect((await member.put(place('gamma'))).status).to.equal(403);
    await done(owner.delete('/repos/acme/gamma/collaborators/member'));
    expect((await owner.put(place('gamma'))).status).to.equal(204);
    expect((await owner.put(place('gamma'))).status).to.equal(204);
    expect((await member.get('/repos/acme/gamma')).status).to.equal(200);
    expect((await owner.delete(place('gamma'))).status).to.equal(204);
    expect((await owner.delete(place('gamma'))).status).to.equal(204);
    expect((await member.get('/repos/acme/gamma')).status).to.equal(404);
  });

  it('are deleted by members of a team of administrators, and by no other administrators', async () => {
    const { api, owner, stranger } = world();
    const chief = await api.createUser('chief');
    const chiefs = { name: 'chiefs', permission: 'admin', includes_all_repositories: true };
    await joined(owner, await team(owner, 'acme', chiefs), chief);
    await repository(owner, '/orgs/acme/repos', { name: 'doomed' });
    await done(owner.put(`/repos/acme/doomed/collaborators/${stranger.username}`, { permission: 'admin' }));
    expect(await statuses([stranger, chief], (client) => client.delete('/repos/acme/doomed'))).to.deep.equal([
      403, 204,
    ]);
  });

  it('follow a change of the team at once', async () => {
    const { member, owner, readersId } = world();
    await done(owner.patch(`/teams/${readersId}`, { permission: 'write' }));
    expect((await member.get('/repos/acme/alpha')).json).to.deep.include({
      permissions: { admin: false, push: true, pull: true },
    });
    await done(owner.patch(`/teams/${readersId}`, { permission: 'read' }));
  });

  it('are all, also those to come, where the team includes all; and stay when it no more does', async () => {
    const { member, owner } = world();
    await found(owner, { username: 'whole' });
    const id = await team(owner, 'whole', {
      name: 'everything',
      units: ['repo.code'],
      includes_all_repositories: true,
    });
    await joined(owner, id, member);
    await repository(owner, '/orgs/whole/repos', { name: 'later', private: true });
    expect((await member.get('/repos/whole/later')).status).to.equal(200);
    expect((await owner.delete(`/teams/${id}/repos/whole/later`)).status).to.equal(204);
    expect((await member.get('/repos/whole/later')).status).to.equal(200);
    await done(owner.patch(`/teams/${id}`, { includes_all_repositories: false }));
    await repository(owner, '/orgs/whole/repos', { name: 'too-late', private: true });
    expect(names((await member.get(`/teams/${id}/repos`)).json)).to.deep.equal(['later']);
    expect((await member.get('/repos/whole/too-late')).status).to.equal(404);
    await done(owner.delete(`/teams/${id}`));
    expect((await member.get('/repos/whole/later')).status).to.equal(404);
  });
});

describe('the teams of a repository', () => {
  const world = peopleApi();
  const teams = '/repos/acme/shared/teams';

  before(async () => {
    const { owner } = world();
    await repository(owner, '/orgs/acme/repos', { name: 'shared' });
    await team(owner, 'acme', { name: 'Archivists', units: ['repo.code'], includes_all_repositories: true });
    await team(owner, 'acme', { name: 'idle', units: ['repo.code'] });
    await repository(owner, '/user/repos', { name: 'own' });
  });

  it('are listed for members and administrators, the owners first, and found by name', async () => {
    const { api, wrong, stranger, member, owner } = world();
    await done(owner.put(`${teams}/READERS`));
    for (const path of [teams, `${teams}/readers`])
      expect(
        await statuses([api.anonymous, wrong, stranger, member, owner, api.admin], (client) =>
          client.get(path),
        ),
      ).to.deep.equal([401, 401, 403, 200, 200, 200]);
    const { json, headers } = await member.get(teams);
    expect(names(json)).to.deep.equal(['Owners', 'Archivists', 'readers']);
    expect(headers.get('x-total-count')).to.equal('3');
    const [, , readers] = json as object[];
    expect(readers).to.deep.include({ organization: null, units: ['repo.code'] });
    expect((await member.get(`${teams}/Readers`)).json).to.deep.equal(readers);
    expect(names((await owner.get(`${teams}?limit=1&page=2`)).json)).to.deep.equal(['Archivists']);
    for (const name of ['idle', 'nothing', 'a%00b', '%F0%9F%98%80'])
      expect((await owner.get(`${teams}/${name}`)).status, name).to.equal(404);
  });

  it('are given it and lose it once: 422 for what is so already', async () => {
    const { owner, member } = world();
    const idle = `${teams}/idle`;
    const change = async (verb: 'put' | 'delete', path = idle) => (await owner[verb](path)).status;
    expect([await change('put'), await change('put')]).to.deep.equal([204, 422]);
    expect((await owner.get(idle)).status).to.equal(200);
    expect([await change('delete'), await change('delete')]).to.deep.equal([204, 422]);
    expect((await owner.get(idle)).status).to.equal(404);
    expect(await change('put', `${teams}/nothing`)).to.equal(404);
    expect([await change('delete', `${teams}/archivists`)]).to.deep.equal([204]);
    expect((await owner.get(`${teams}/archivists`)).status, 'it includes all').to.equal(200);
    expect((await member.put(idle)).status).to.equal(403);
  });

  it('are given it and lose it once by the log, though the read models are late', async () => {
    const { api, owner } = world();
    const other = (await api.another()).as({ username: 'owner', password: PASSWORD });
    const idle = `${teams}/idle`;
    await Promise.all([owner, other, api.admin].map((client) => client.get(teams)));
    await api.pauseProjector();
    const changed = [
      await owner.put(idle),
      await other.put(idle),
      await other.delete(idle),
      await api.admin.delete(idle),
    ];
    api.resumeProjector();
    expect(changed.map(({ status }) => status)).to.deep.equal([204, 422, 204, 422]);
  });

  it('are changed by administrators of the repository where the organization lets them', async () => {
    const { api, owner, stranger } = world();
    const idle = `${teams}/idle`;
    await done(owner.put(`/repos/acme/shared/collaborators/${stranger.username}`, { permission: 'admin' }));
    expect((await stranger.get(teams)).status).to.equal(200);
    expect((await stranger.put(idle)).status).to.equal(403);
    await owner.patch('/orgs/acme', { repo_admin_change_team_access: true });
    expect((await stranger.put(idle)).status).to.equal(204);
    expect((await stranger.delete(idle)).status).to.equal(204);
    expect((await api.anonymous.put(idle)).status).to.equal(401);
  });

  it('are nothing that a repository of a user has', async () => {
    const { api, owner, stranger } = world();
    const callers = [api.anonymous, stranger, owner];
    expect(await statuses(callers, (client) => client.get('/repos/owner/own/teams'))).to.deep.equal([
      401, 403, 405,
    ]);
    expect(await statuses(callers, (client) => client.put('/repos/owner/own/teams/readers'))).to.deep.equal([
      401, 403, 405,
    ]);
    expect((await owner.get('/repos/acme/nothing/teams')).status).to.equal(404);
  });
});
