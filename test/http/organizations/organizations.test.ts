import { expect } from 'chai';
import { PASSWORD } from '../../support/api.js';
import { found, names, organizationsApi, statuses, joined, team } from './world.js';

describe('organizations', () => {
  const world = organizationsApi();

  describe('POST /orgs', () => {
    it('is 401 for nobody and with a wrong password, whatever the body', async () => {
      const { api, wrong } = world();
      expect(await statuses([api.anonymous, wrong], (client) => client.post('/orgs', '{'))).to.deep.equal([
        401, 401,
      ]);
    });

    it('answers with the whole Organization', async () => {
      const { api, owner } = world();
      const profile = {
        full_name: 'The Whole',
        email: 'whole@example.org',
        description: 'all of it',
        website: 'https://example.org:8080/whole',
        location: 'everywhere',
        visibility: 'limited',
        repo_admin_change_team_access: true,
      };
      const { status, json } = await owner.post('/orgs', { username: 'Whole', ...profile });
      expect(status).to.equal(201);
      const { id } = json as { id: number };
      const { created } = (await owner.get('/users/whole')).json as { created: string };
      expect(json).to.deep.equal({
        id,
        name: 'Whole',
        username: 'Whole',
        ...profile,
        avatar_url: `${api.url()}/avatars/${id}`,
        created,
      });
      expect((await owner.get('/orgs/wHOLE')).json).to.deep.equal(json);
      expect((await owner.get('/users/whole')).json).to.include({
        id,
        login: 'Whole',
        location: 'everywhere',
      });
    });

    it('makes the creator the concealed member of an Owners team that may do everything', async () => {
      const { owner, stranger } = world();
      await found(owner, { username: 'founded' });
      const [owners] = (await owner.get('/orgs/founded/teams')).json as object[];
      expect(owners).to.include({
        name: 'Owners',
        permission: 'owner',
        includes_all_repositories: true,
        can_create_org_repo: true,
        organization: null,
      });
      expect(names((await owner.get('/orgs/founded/members')).json)).to.deep.equal(['owner']);
      expect((await stranger.get('/orgs/founded/members')).json).to.deep.equal([]);
    });

    it('does not take the address of an organization for that of a user', async () => {
      const { api, owner } = world();
      await found(owner, { username: 'one', email: 'shared@example.org' });
      await found(owner, { username: 'two', email: 'shared@example.org' });
      await api.createUser('three', { email: 'shared@example.org' });
      for (const [client, path] of [
        [owner, '/orgs/one'],
        [api.admin, '/admin/users/two'],
      ] as const)
        expect((await client.patch(path, { email: 'owner@example.org' })).status, path).to.equal(200);
    });

    for (const [what, fields, message] of [
      ['no name', { username: undefined }, /^\[Username\]: Required/],
      ['a name of 41 characters', { username: 'a'.repeat(41) }, /^\[Username\]: /],
      ['a reserved name', { username: 'Explore' }, /^\[Username\]: /],
      ['the name of a user in another case', { username: 'OWNER' }, /^\[Username\]: /],
      ['the name of an organization', { username: 'acme' }, /^\[Username\]: /],
      ['a full name of 101 characters', { full_name: 'x'.repeat(101) }, /^\[FullName\]: /],
      ['no address for an e-mail', { email: 'nobody' }, /^\[Email\]: /],
      ['a description of 256 characters', { description: 'x'.repeat(256) }, /^\[Description\]: /],
      ['no address for a website', { website: 'example.org' }, /^\[Website\]: /],
      ['a port that is none', { website: 'https://example.org:http' }, /^\[Website\]: /],
      ['a location of 51 characters', { location: 'x'.repeat(51) }, /^\[Location\]: /],
      ['an unknown visibility', { visibility: 'secret' }, /^\[Visibility\]: /],
      ['a text for a boolean', { repo_admin_change_team_access: 'yes' }, /^\[RepoAdminChangeTeamAccess\]: /],
    ] as const)
      it(`is 422 for ${what}`, async () => {
        const { owner } = world();
        const { status, message: told } = await owner.post('/orgs', { username: 'refused', ...fields });
        expect([status, message.test(told)], told).to.deep.equal([422, true]);
        expect((await owner.get('/orgs/refused')).status).to.equal(404);
      });

    it('lets one of many at once have the name', async () => {
      const { owner } = world();
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => owner.post('/orgs', { username: 'contended' })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        201,
        ...new Array<number>(15).fill(422),
      ]);
    });

    it('gives a name that 64 want at once to one of them, user or organization, in two processes', async () => {
      const { api, owner } = world();
      const other = await api.another();
      const elsewhere = other.as({ username: owner.username, password: PASSWORD });
      for (let round = 0; round < 3; round++) {
        const name = `everybodys-${round}`;
        const racers = Array.from({ length: 16 }, (_, index) => [
          owner.post('/orgs', { username: name }),
          elsewhere.post('/orgs', { username: name.toUpperCase() }),
          ...[api, other].map(({ admin }, process) =>
            admin.post('/admin/users', {
              username: name,
              email: `${name}-${index}-${process}@example.org`,
              password: PASSWORD,
            }),
          ),
        ]);
        const answers = await Promise.all(racers.flat());
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([
          201,
          ...Array<number>(63).fill(422),
        ]);
      }
    });

    it('is 403 for who may not create organizations, unless it is a site administrator', async () => {
      const { api } = world();
      const barred = await api.createUser('barred');
      const edit = await api.admin.patch('/admin/users/barred', { allow_create_organization: false });
      expect(edit.status).to.equal(200);
      expect((await barred.post('/orgs', { username: 'notmine' })).status).to.equal(403);
      expect((await api.admin.patch('/admin/users/barred', { admin: true })).status).to.equal(200);
      expect((await barred.post('/orgs', { username: 'mine' })).status).to.equal(201);
      expect((await barred.delete('/orgs/mine')).status).to.equal(204);
    });

    it('gives the first answer to a repeated request', async () => {
      const { owner } = world();
      const key = { 'idempotency-key': 'create-repeated' };
      const first = await owner.post('/orgs', { username: 'repeated' }, key);
      const second = await owner.post('/orgs', { username: 'repeated' }, key);
      expect([second.status, second.text]).to.deep.equal([201, first.text]);
    });
  });

  describe('POST /admin/users/{username}/orgs', () => {
    const path = '/admin/users/member/orgs';

    it('is for site administrators', async () => {
      const { api, owner, wrong } = world();
      expect(await statuses([api.anonymous, wrong, owner], (client) => client.post(path, '{'))).to.deep.equal(
        [401, 401, 403],
      );
    });

    it('makes the user of the path the owner, and keeps every field', async () => {
      const { api, member } = world();
      const body = {
        username: 'gift',
        email: 'gift@example.org',
        visibility: 'private',
        repo_admin_change_team_access: true,
      };
      const { status, json } = await api.admin.post(path, body);
      expect([status, json]).to.deep.include.members([201]);
      expect(json).to.include(body);
      expect(names((await member.get('/orgs/gift/members')).json)).to.deep.equal(['member']);
    });

    it('is 404 for an unknown user and 422 for an organization or a bad body', async () => {
      const { api } = world();
      const body = { username: 'orphan' };
      expect((await api.admin.post('/admin/users/nobody/orgs', '{')).status).to.equal(404);
      expect((await api.admin.post('/admin/users/acme/orgs', body)).status).to.equal(422);
      expect((await api.admin.post(path, { ...body, visibility: 'x' })).status).to.equal(422);
    });
  });

  describe('GET /orgs/{org}', () => {
    it('hides the e-mail address from nobody but the anonymous', async () => {
      const { api, owner, stranger } = world();
      await found(owner, { username: 'mailed', email: 'mailed@example.org' });
      expect((await api.anonymous.get('/orgs/mailed')).json).to.include({ email: '' });
      expect((await stranger.get('/orgs/mailed')).json).to.include({ email: 'mailed@example.org' });
    });

    it('is 404 for a user, and for names that nobody has', async () => {
      const { api } = world();
      for (const name of ['member', 'nobody', '%00', 'a%2Fb', 'x'.repeat(5000)]) {
        const { status, json } = await api.admin.get(`/orgs/${name}`);
        expect(status, name.slice(0, 20)).to.equal(404);
        expect(json).to.have.all.keys('message', 'url', 'errors');
      }
    });
  });

  describe('visibility', () => {
    const everywhere = ['', '/members', '/public_members', '/teams', '/members/owner', '/quota'];

    it('hides limited organizations from the anonymous and private ones from strangers, on every route', async () => {
      const { api, owner, stranger } = world();
      await found(owner, { username: 'limited', visibility: 'limited' });
      await found(owner, { username: 'private', visibility: 'private' });
      for (const rest of everywhere)
        for (const [client, hidden] of [
          [api.anonymous, 'limited'],
          [stranger, 'private'],
        ] as const) {
          const [absent, unseen] = [
            await client.get(`/orgs/nobody${rest}`),
            await client.get(`/orgs/${hidden}${rest}`),
          ];
          expect([unseen.status, unseen.text], hidden + rest).to.deep.equal([404, absent.text]);
        }
      expect((await stranger.get('/orgs/limited')).status).to.equal(200);
      expect((await owner.get('/orgs/private')).status).to.equal(200);
      expect((await api.admin.get('/orgs/private')).status).to.equal(200);
      expect((await stranger.patch('/orgs/private', '{')).status).to.equal(404);
      expect((await api.anonymous.delete('/orgs/private')).status).to.equal(404);
    });

    it('hides every organization from restricted users who are no members', async () => {
      const { api, owner } = world();
      const restricted = await api.createUser('restricted', { restricted: true });
      await found(owner, { username: 'shown' });
      const teamId = await team(owner, 'shown', { name: 'guests', units: ['repo.code'] });
      expect((await restricted.get('/orgs/shown')).status).to.equal(404);
      expect(names((await restricted.get('/orgs')).json)).to.deep.equal([]);
      await joined(owner, teamId, restricted);
      expect((await restricted.get('/orgs/shown')).status).to.equal(200);
      expect(names((await restricted.get('/orgs')).json)).to.deep.equal(['shown']);
    });

    it('is 403 for tokens that reach only what is public', async () => {
      const { api, owner } = world();
      await found(owner, { username: 'narrow', visibility: 'limited' });
      const token = await api.createToken('owner', 'public-only', 'write:organization', 'read:user');
      expect((await token.get('/orgs/narrow')).status).to.equal(403);
      expect((await token.get('/orgs/acme')).status).to.equal(200);
      expect(names((await token.get('/user/orgs')).json))
        .to.include('Acme')
        .and.not.to.include('narrow');
      expect(names((await token.get('/orgs')).json)).not.to.include('narrow');
    });

    it('is given and changed by such tokens to public alone, and nothing else of the request is done', async () => {
      const { api, owner } = world();
      const token = await api.createToken('owner', 'public-only', 'write:organization');
      await found(token, { username: 'unveiled' });
      for (const visibility of ['limited', 'private']) {
        expect((await token.post('/orgs', { username: 'veiled', visibility })).status).to.equal(403);
        const edit = { full_name: 'Veiled', visibility };
        expect((await token.patch('/orgs/unveiled', edit)).status).to.equal(403);
      }
      expect((await owner.get('/orgs/veiled')).status).to.equal(404);
      const { json } = await token.patch('/orgs/unveiled', { visibility: 'public' });
      expect(json).to.include({ full_name: '', visibility: 'public' });
    });

    it('is that for such tokens of site administrators too', async () => {
      const { api, owner } = world();
      const token = await api.createToken('root', 'public-only', 'write:admin');
      await found(owner, { username: 'aside', visibility: 'private' });
      const path = '/admin/users/owner/orgs';
      expect((await token.post(path, { username: 'apart', visibility: 'private' })).status).to.equal(403);
      expect((await token.post(path, { username: 'apart' })).status).to.equal(201);
      const edit = { full_name: 'Apart', visibility: 'limited' };
      expect((await token.patch('/admin/users/apart', edit)).status).to.equal(403);
      expect((await token.patch('/admin/users/aside', { full_name: 'Aside' })).status).to.equal(403);
      expect((await owner.get('/orgs/apart')).json).to.include({ full_name: '', visibility: 'public' });
      expect((await token.patch('/admin/users/apart', { visibility: 'public' })).status).to.equal(200);
    });
  });

  describe('GET /orgs', () => {
    it('lists by name what the caller sees, and never a private one but to site administrators', async () => {
      const { api, owner, stranger } = world();
      await found(owner, { username: 'zz-public' });
      await found(owner, { username: 'zz-limited', visibility: 'limited' });
      await found(owner, { username: 'zz-private', visibility: 'private' });
      const seen = async (client: typeof owner | typeof api.admin, path = '/orgs?limit=50') =>
        names((await client.get(path)).json).filter((name) => name.startsWith('zz'));
      expect(await seen(api.anonymous)).to.deep.equal(['zz-public']);
      expect(await seen(stranger)).to.deep.equal(['zz-limited', 'zz-public']);
      expect(await seen(owner)).to.deep.equal(['zz-limited', 'zz-public']);
      expect(await seen(api.admin)).to.deep.equal(['zz-limited', 'zz-private', 'zz-public']);
      expect(await seen(api.admin, '/admin/orgs?limit=50')).to.deep.equal([
        'zz-limited',
        'zz-private',
        'zz-public',
      ]);
    });

    it('comes in pages with links and the number of all', async () => {
      const { api } = world();
      const { headers, json } = await api.admin.get('/orgs?limit=1&page=2');
      expect(json).to.have.length(1);
      expect(headers.get('link')).to.match(/page=3>; rel="next"/);
      expect(Number(headers.get('x-total-count'))).to.be.greaterThan(2);
    });
  });

  it('GET /admin/orgs is for site administrators', async () => {
    const { api, owner } = world();
    expect(await statuses([api.anonymous, owner], (client) => client.get('/admin/orgs'))).to.deep.equal([
      401, 403,
    ]);
  });

  describe('PATCH /orgs/{org}', () => {
    it('is 401 for nobody, 403 for strangers and members, whatever the body', async () => {
      const { api, member, stranger, wrong } = world();
      expect(
        await statuses([api.anonymous, wrong, stranger, member], (client) => client.patch('/orgs/acme', '{')),
      ).to.deep.equal([401, 401, 403, 403]);
    });

    it('changes what is given, clears what is empty, and keeps the rest', async () => {
      const { owner } = world();
      const before = {
        full_name: 'Before',
        email: 'before@example.org',
        description: 'before',
        website: 'https://example.org',
        location: 'here',
        visibility: 'private',
        repo_admin_change_team_access: true,
      };
      await found(owner, { username: 'edited', ...before });
      for (const [body, after] of [
        [{}, before],
        [null, before],
        [
          { description: '', website: '', email: '', visibility: '' },
          { ...before, description: '', website: '' },
        ],
        [
          { full_name: 'After', location: 'there', repo_admin_change_team_access: false },
          {
            ...before,
            description: '',
            website: '',
            full_name: 'After',
            location: 'there',
            repo_admin_change_team_access: false,
          },
        ],
      ] as const) {
        const { status, json } = await owner.patch('/orgs/edited', body);
        expect(status).to.equal(200);
        expect(json).to.include(after);
        expect((await owner.get('/orgs/edited')).json).to.deep.equal(json);
      }
    });

    it('makes a private organization public again', async () => {
      const { api, owner } = world();
      await found(owner, { username: 'opened', visibility: 'private' });
      expect((await api.admin.patch('/orgs/opened', { visibility: 'public' })).status).to.equal(200);
      expect((await api.anonymous.get('/orgs/opened')).status).to.equal(200);
    });

    for (const [what, body] of [
      ['an unknown visibility', { visibility: 'secret' }],
      ['a bad e-mail address', { email: 'nobody' }],
      ['a bad website', { website: 'javascript:alert(1)' }],
      ['a long description', { description: 'x'.repeat(256) }],
    ] as const)
      it(`is 422 for ${what}`, async () => {
        expect((await world().owner.patch('/orgs/acme', body)).status).to.equal(422);
      });

    it('is 404 for an unknown organization, before the body is looked at', async () => {
      expect((await world().owner.patch('/orgs/nobody', '{')).status).to.equal(404);
    });
  });

  describe('DELETE /orgs/{org}', () => {
    it('is 401 for nobody, 403 for strangers and members, 404 for an unknown organization', async () => {
      const { api, member, stranger, wrong, owner } = world();
      expect(
        await statuses([api.anonymous, wrong, stranger, member], (client) => client.delete('/orgs/acme')),
      ).to.deep.equal([401, 401, 403, 403]);
      expect((await owner.delete('/orgs/nobody')).status).to.equal(404);
    });

    it('removes everything of it, and frees the name at once', async () => {
      const { api, owner, member } = world();
      const { id } = await found(owner, { username: 'doomed' });
      const teamId = await team(owner, 'doomed', { name: 'lost', units: ['repo.code'] });
      await joined(owner, teamId, member);
      await api.admin.post('/admin/quota/groups', { name: 'doomed group' });
      expect((await api.admin.put('/admin/quota/groups/doomed%20group/users/doomed')).status).to.equal(204);

      expect((await owner.delete('/orgs/doomed')).status).to.equal(204);
      expect((await owner.delete('/orgs/doomed')).status).to.equal(404);
      expect((await owner.get('/orgs/doomed')).status).to.equal(404);
      expect((await owner.get(`/teams/${teamId}`)).status).to.equal(404);
      expect(names((await member.get('/user/orgs')).json)).not.to.include('doomed');
      expect(names((await member.get('/user/teams')).json)).not.to.include('lost');
      expect((await api.admin.get('/admin/quota/groups/doomed%20group/users')).json).to.deep.equal([]);

      const again = await found(member, { username: 'Doomed' });
      expect(again.id).not.to.equal(id);
      expect(names((await member.get('/orgs/doomed/members')).json)).to.deep.equal(['member']);
    });
  });

  describe('organizations of a user', () => {
    it('are all listed to the user and site administrators, and to others where they are public', async () => {
      const { api, stranger } = world();
      const joiner = await api.createUser('joiner');
      await found(joiner, { username: 'join-shown' });
      await found(joiner, { username: 'join-concealed' });
      await found(joiner, { username: 'join-private', visibility: 'private' });
      await joiner.put('/orgs/join-shown/public_members/joiner');
      await joiner.put('/orgs/join-private/public_members/joiner');
      const all = ['join-concealed', 'join-private', 'join-shown'];
      expect(names((await joiner.get('/user/orgs')).json)).to.deep.equal(all);
      expect(names((await joiner.get('/users/joiner/orgs')).json)).to.deep.equal(all);
      expect(names((await api.admin.get('/users/joiner/orgs')).json)).to.deep.equal(all);
      expect(names((await stranger.get('/users/joiner/orgs')).json)).to.deep.equal(['join-shown']);
      const page = await joiner.get('/user/orgs?limit=2');
      expect([page.headers.get('x-total-count'), page.json]).to.deep.include.members(['3']);
      expect(page.headers.get('link')).to.match(/rel="last"/);
    });

    it('are 401 for nobody and 404 for an unknown user', async () => {
      const { api, stranger } = world();
      expect((await api.anonymous.get('/user/orgs')).status).to.equal(401);
      expect((await api.anonymous.get('/users/owner/orgs')).status).to.equal(401);
      expect((await stranger.get('/users/nobody/orgs')).status).to.equal(404);
    });
  });

  describe('GET /users/{username}/orgs/{org}/permissions', () => {
    it('tells what the user may do by its teams', async () => {
      const { owner, member, stranger } = world();
      const nothing = {
        is_owner: false,
        is_admin: false,
        can_write: false,
        can_read: false,
        can_create_repository: false,
      };
      const of = async (username: string) =>
        (await stranger.get(`/users/${username}/orgs/acme/permissions`)).json;
      expect(await of('owner')).to.deep.equal({
        is_owner: true,
        is_admin: true,
        can_write: true,
        can_read: true,
        can_create_repository: true,
      });
      expect(await of('member')).to.deep.equal({ ...nothing, can_read: true });
      expect(await of('stranger')).to.deep.equal(nothing);
      const makers = await team(owner, 'acme', {
        name: 'makers',
        permission: 'write',
        units: ['repo.code'],
        can_create_org_repo: true,
      });
      await joined(owner, makers, member);
      expect(await of('member')).to.deep.equal({
        ...nothing,
        can_read: true,
        can_write: true,
        can_create_repository: true,
      });
      await owner.delete(`/teams/${makers}`);
    });

    it('is 401 for nobody, 404 for who or what is unknown or hidden from either', async () => {
      const { api, owner, stranger } = world();
      await found(owner, { username: 'veiled', visibility: 'private' });
      const status = async (client: typeof owner, path: string) => (await client.get(path)).status;
      expect(await status(api.anonymous as typeof owner, '/users/owner/orgs/acme/permissions')).to.equal(401);
      expect(await status(owner, '/users/nobody/orgs/acme/permissions')).to.equal(404);
      expect(await status(owner, '/users/owner/orgs/nobody/permissions')).to.equal(404);
      expect(await status(stranger, '/users/owner/orgs/veiled/permissions')).to.equal(404);
      expect(await status(owner, '/users/stranger/orgs/veiled/permissions')).to.equal(404);
      expect(await status(owner, '/users/owner/orgs/veiled/permissions')).to.equal(200);
    });
  });
});
