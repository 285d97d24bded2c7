import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ADMIN, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { newKey } from '../../support/public-keys.js';

interface Change {
  readonly position: number;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly id: number; readonly name: string } | null;
  readonly subjects: readonly { readonly id: number; readonly name: string }[];
  readonly before: unknown;
  readonly after: unknown;
}

describe('GET /admin/history', () => {
  let api: TestApi;
  let alice: TestUser;

  before(async () => {
    api = await startApi();
    alice = await api.createUser('alice');
  });
  after(() => api.stop());

  const changes = async (query: string) => (await api.admin.get(`/admin/history?${query}`)).json as Change[];
  const types = async (query: string) => (await changes(query)).map(({ type }) => type);

  it('is 401 for nobody, 403 for others than administrators, 422 for a time that is none', async () => {
    expect((await api.anonymous.get('/admin/history')).status).to.equal(401);
    expect((await alice.get('/admin/history')).status).to.equal(403);
    const token = await api.createToken(ADMIN.username, 'read:user');
    expect((await token.get('/admin/history')).status).to.equal(403);
    expect((await api.admin.get('/admin/history?since=yesterday')).status).to.equal(422);
    expect((await api.admin.get('/admin/history?subject=nobody')).json).to.deep.equal([]);
  });

  it('tells what became of a user, who did it and when, newest first, under the names of the time', async () => {
    const user = await api.createUser('carol');
    await api.admin.patch('/admin/users/carol', { location: 'Rome', active: false, password: 'another one' });
    await api.admin.patch('/admin/users/carol', { active: true, password: 'correct horse' });
    await user.patch('/user/settings', { location: '' });
    const key = (await user.post('/user/keys', { title: 'laptop', key: newKey() })).json as {
      fingerprint: string;
    };
    await api.admin.post('/admin/users/carol/rename', { new_username: 'caroline' });
    await api.admin.delete('/admin/users/caroline');
    const found = await changes('subject=caroline');
    expect(
      found.map(({ type, actor, subjects, before, after }) => [
        type,
        actor?.name,
        subjects[0]?.name,
        before,
        after,
      ]),
    ).to.deep.equal([
      ['AccountDeleted', 'root', 'caroline', { name: 'caroline' }, null],
      ['AccountRenamed', 'root', 'caroline', { name: 'carol' }, { name: 'caroline' }],
      ['PublicKeyAdded', 'carol', 'carol', null, { key: 'laptop', fingerprint: key.fingerprint }],
      ['AccountEdited', 'carol', 'carol', { location: 'Rome' }, { location: '' }],
      ['AccountEdited', 'root', 'carol', { active: false }, { active: true, new_password: true }],
      [
        'AccountEdited',
        'root',
        'carol',
        { active: true, location: '' },
        { active: false, location: 'Rome', new_password: true },
      ],
      [
        'AccountCreated',
        'root',
        'carol',
        null,
        {
          kind: 'user',
          name: 'carol',
          email: 'carol@example.org',
          full_name: '',
          visibility: 'public',
          restricted: false,
        },
      ],
    ]);
    for (const { subjects } of found) expect(subjects.map(({ id }) => id)).to.deep.equal([user.id]);
    expect(await changes('subject=carol')).to.deep.equal(found);
  });

  it('tells of organizations and their teams, for the people concerned too', async () => {
    const owner = await api.createUser('owner');
    await owner.post('/orgs', { username: 'team-players' });
    const teams = (await owner.get('/orgs/team-players/teams')).json as { id: number }[];
    await owner.put(`/teams/${teams[0]?.id}/members/alice`);
    await owner.put('/orgs/team-players/public_members/owner');
    const found = await changes('subject=team-players');
    expect(found.map(({ type }) => type)).to.deep.equal([
      'MembershipPublicized',
      'TeamMemberAdded',
      'MemberJoined',
      'AccountCreated',
      'TeamMemberAdded',
      'MemberJoined',
      'TeamCreated',
    ]);
    expect(found[1]?.subjects.map(({ name }) => name)).to.deep.equal(['team-players', 'alice']);
    expect(found[1]?.after).to.deep.equal({ team: 'Owners' });
    expect((await types('subject=alice')).slice(0, 2)).to.deep.equal(['TeamMemberAdded', 'MemberJoined']);
  });

  it('names what organizations and teams are as their routes do', async () => {
    const owner = await api.createUser('founder');
    const profile = { website: 'https://example.org', location: 'Here', description: 'All of it' };
    const settings = { full_name: 'Told', visibility: 'limited', repo_admin_change_team_access: true };
    await owner.post('/orgs', { username: 'told', ...profile, ...settings });
    const team = { description: 'Who build', includes_all_repositories: false, can_create_org_repo: true };
    const asked = { ...team, name: 'builders', permission: 'write', units: ['repo.code'] };
    const { units_map } = (await owner.post('/orgs/told/teams', asked)).json as { units_map: object };
    const [made] = await changes('subject=told');
    expect(made?.after).to.deep.equal({ ...team, team: 'builders', permission: 'write', units_map });
    const founded = (await changes('subject=told')).find(({ type }) => type === 'AccountCreated');
    expect(founded?.after).to.deep.include({ kind: 'organization', name: 'told', ...profile, ...settings });
  });

  it('tells who came into office', async () => {
    await api.admin.patch('/admin/users/alice', { admin: true });
    await api.admin.patch('/admin/users/alice', { admin: false });
    const [left, came] = await changes('subject=alice');
    expect([left?.type, left?.after]).to.deep.equal(['AdministratorDismissed', { admin: false }]);
    expect([came?.type, came?.after]).to.deep.equal(['AdministratorAppointed', { admin: true }]);
  });

  it('is narrowed by actor and time', async () => {
    await alice.patch('/user/settings', { theme: 'one' });
    expect((await types('actor=ALICE'))[0]).to.equal('AccountEdited');
    for (const { actor } of await changes('actor=alice')) expect(actor?.name).to.equal('alice');
    const [newest] = await changes('limit=1');
    expect(await types(`since=${newest?.at}&limit=1`)).to.deep.equal([newest?.type]);
    expect(await types('since=2999-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await types('until=2020-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await types('subject=&actor=&since=&until=')).to.deep.equal(await types(''));
  });

  it('comes in pages that do not shift', async () => {
    const first = await api.admin.get('/admin/history?limit=2');
    const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    await alice.patch('/user/settings', { theme: 'two' });
    const second = (await api.admin.get(next.slice(`${api.url()}/api/v1`.length))).json as Change[];
    const both = [...(first.json as Change[]), ...second];
    const together = await changes(`limit=4&as_of=${new URL(next).searchParams.get('as_of')}`);
    expect(both).to.deep.equal(together);
  });

  it('comes in pages that do not shift by what was written just before the first one', async () => {
    await api.pauseProjector();
    await alice.patch('/user/settings', { theme: 'three' });
    const asked = api.admin.get('/admin/history?limit=2');
    await sleep(200);
    api.resumeProjector();
    const first = await asked;
    const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = (await api.admin.get(next.slice(`${api.url()}/api/v1`.length))).json as Change[];
    const positions = [...(first.json as Change[]), ...second].map(({ position }) => position);
    expect(new Set(positions).size).to.equal(4);
  });

  it('comes in pages that do not shift although the read models were late for the first one', async () => {
    await api.pauseProjector();
    await alice.patch('/user/settings', { theme: 'four' });
    const first = await api.admin.get('/admin/history?limit=2');
    api.resumeProjector();
    const next = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = (await api.admin.get(next.slice(`${api.url()}/api/v1`.length))).json as Change[];
    const positions = [...(first.json as Change[]), ...second].map(({ position }) => position);
    expect(new Set(positions).size).to.equal(4);
  });
});
