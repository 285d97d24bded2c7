import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CommandHandler } from '../../src/commands/handle.js';
import { Account } from '../../src/domain/accounts/account.js';
import { ADMINISTRATORS, Administrators } from '../../src/domain/accounts/administrators.js';
import { projections } from '../../projections/registry.js';
import { schemaOf } from '../../projections/projection.js';
import { Database } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/queryable.js';
import type { Statement } from '../../src/database/sql.js';
import { issueAt } from '../../src/http/issues/place.js';
import { repositoryAt } from '../../src/http/repositories/place.js';
import { VISIBLE_WITHIN_MS } from '../../src/read-your-writes/read-your-writes.js';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../support/api.js';
import type { RunningApi } from '../support/running-api.js';
import { appendedAfter } from '../support/appended-after.js';
import { beforeTheLock } from '../support/before-the-lock.js';
import type { Client, TestAnswer } from '../support/client.js';
import { meanwhile } from '../support/meanwhile.js';
import { rejection } from '../support/rejection.js';

/** Two api processes: while a request to one is about to append, another is carried out by the other. */
describe('a request that another overtakes', () => {
  let api: TestApi;
  let other: RunningApi;
  let ann: TestUser;
  let bob: TestUser;
  let names = 0;
  before(async () => {
    api = await startApi();
    other = await api.another();
    ann = await api.createUser('ann');
    bob = await api.createUser('bob');
  });
  after(() => api.stop());

  async function done<T = unknown>(answer: Promise<TestAnswer>): Promise<T> {
    const { status, json, text } = await answer;
    expect(status, text).to.be.within(200, 299);
    return json as T;
  }
  const fresh = () => `name-${(names += 1)}`;
  const elsewhere = (user: TestUser) => other.as({ username: user.username, password: PASSWORD });

  async function repository(fields: object = {}): Promise<string> {
    const name = fresh();
    await done(ann.post('/user/repos', { name, ...fields }));
    return name;
  }
  async function organization(): Promise<{ org: string; teamId: number }> {
    const org = fresh();
    await done(ann.post('/orgs', { username: org }));
    const team = { name: 'people', permission: 'write', units: ['repo.code'] };
    return { org, teamId: (await done<{ id: number }>(ann.post(`/orgs/${org}/teams`, team))).id };
  }
  const give = async (from: string, name: string, to: string) => {
    await api.shown(); // it may have come there a moment ago
    await done(other.admin.post(`/repos/${from}/${name}/transfer`, { new_owner: to }));
  };
  const ownerOf = async (path: string) =>
    (await done<{ owner: { login: string } }>(api.admin.get(`/repos/${path}`))).owner.login;
  const used = async (name: string) => {
    const quota = await done<{ used: { size: { repos: { public: number; private: number } } } }>(
      api.admin.get(`/admin/users/${name}/quota`),
    );
    return quota.used.size.repos;
  };

  it('deletes no repository that went to somebody else', async () => {
    const name = await repository();
    const answer = await beforeTheLock(
      () => give('ann', name, 'bob'),
      () => ann.delete(`/repos/ann/${name}`),
    );
    expect(answer.status).to.equal(404);
    expect(await ownerOf(`bob/${name}`)).to.equal('bob');
  });

  it('offers nothing to who is deleted', async () => {
    const name = await repository();
    const recipient = await api.createUser(fresh());
    const offer = (to: string) => ann.post(`/repos/ann/${name}/transfer`, { new_owner: to });
    const answer = await meanwhile(
      'RepositoryTransferRequested',
      () => done(other.admin.delete(`/admin/users/${recipient.username}`)),
      () => offer(recipient.username),
    );
    expect(answer.status, answer.text).to.equal(404);
    expect((await offer('bob')).status).to.equal(201);
  });

  it('gives nothing to who is deleted', async () => {
    const name = await repository();
    const recipient = await api.createUser(fresh());
    const answer = await meanwhile(
      'ClaimMade',
      () => done(other.admin.delete(`/admin/users/${recipient.username}`)),
      () => api.admin.post(`/repos/ann/${name}/transfer`, { new_owner: recipient.username }),
    );
    expect(answer.status, answer.text).to.equal(404);
    expect(await ownerOf(`ann/${name}`)).to.equal('ann');
  });

  it('is to be repeated where an organization may not be deleted after all, and is done then', async () => {
    const org = fresh();
    await done(ann.post('/orgs', { username: org, visibility: 'private' }));
    const { id: accountId } = await done<{ id: number }>(ann.get(`/orgs/${org}`));
    const change = async (type: 'CloseAccount' | 'ReopenAccount') => {
      const at = new Date().toISOString();
      const commands = new CommandHandler({ log: api.connections.log });
      await commands.handle(
        Account,
        accountId,
        { type, data: { accountId, at } },
        { commandId: fresh(), at },
      );
    };
    const create = (user: TestUser) =>
      user.post(`/orgs/${org}/repos`, { name: 'kept' }, { 'Idempotency-Key': `kept-in-${org}` });
    await change('CloseAccount');
    const refused = await create(ann);
    expect([refused.status, refused.headers.get('retry-after')], refused.text).to.deep.equal([503, '1']);
    expect((await create(bob)).status).to.equal(404);
    await change('ReopenAccount');
    await done(create(ann));
  });

  it('changes nothing of a repository that it does not name', async () => {
    const name = await repository();
    const edited = (fields: object) => elsewhere(ann).patch(`/repos/ann/${name}`, fields);
    const tracker = { enable_time_tracker: true, enable_issue_dependencies: false };
    const { json } = await meanwhile(
      'RepositoryEdited',
      () => done(edited({ has_wiki: false, internal_tracker: tracker })),
      () => ann.patch(`/repos/ann/${name}`, { internal_tracker: { enable_time_tracker: false } }),
    );
    expect(json).to.deep.include({
      has_wiki: false,
      internal_tracker: {
        enable_time_tracker: false,
        allow_only_contributors_to_track_time: true,
        enable_issue_dependencies: false,
      },
    });
  });

  it('purges a user whose repository somebody else deletes, or takes', async () => {
    for (const overtake of [
      (name: string) => done(other.admin.delete(`/repos/carl/${name}`)),
      (name: string) => give('carl', name, 'bob'),
    ]) {
      const carl = await api.createUser('carl');
      const name = fresh();
      await done(carl.post('/user/repos', { name }));
      const purge = () => api.admin.delete('/admin/users/carl?purge=true');
      expect((await beforeTheLock(() => overtake(name), purge)).status).to.equal(204);
      expect((await api.admin.get('/users/carl')).status).to.equal(404);
    }
  });

  it('keeps nothing that a user wrote who is purged meanwhile', async () => {
    const issues = `/repos/ann/${await repository()}/issues`;
    await done(ann.post(issues, { title: 'to discuss' }));
    for (const [event, path, body] of [
      ['IssueOpened', issues, { title: 'late' }],
      ['IssueCommented', `${issues}/1/comments`, { body: 'late' }],
    ] as const) {
      const gone = await api.createUser(fresh());
      const answer = await meanwhile(
        event,
        () => done(other.admin.delete(`/admin/users/${gone.username}?purge=true`)),
        () => gone.post(path, body),
      );
      expect(answer.status, answer.text).to.equal(404);
    }
    await api.shown(); // what others took back
    const left = await done<{ title: string; comments: number }[]>(ann.get(issues));
    expect(left.map(({ title, comments }) => [title, comments])).to.deep.equal([['to discuss', 0]]);
  });

  it('transfers no repository that went to somebody else', async () => {
    const name = await repository();
    const { org } = await organization();
    const answer = await meanwhile(
      'ClaimMade',
      () => give('ann', name, 'bob'),
      () => ann.post(`/repos/ann/${name}/transfer`, { new_owner: org }),
    );
    expect(answer.status).to.equal(404);
    expect(await ownerOf(`bob/${name}`)).to.equal('bob');
  });

  it('offers no repository that went to somebody else', async () => {
    const name = await repository();
    await api.createUser('dora');
    const answer = await meanwhile(
      'RepositoryTransferRequested',
      () => give('ann', name, 'bob'),
      () => ann.post(`/repos/ann/${name}/transfer`, { new_owner: 'dora' }),
    );
    expect(answer.status).to.equal(404);
  });

  it('rejects no other offer than the one that was looked at', async () => {
    const name = await repository();
    const gina = await api.createUser('gina');
    const offer = `/repos/ann/${name}/transfer`;
    const own = elsewhere(ann);
    await done(own.post(offer, { new_owner: 'bob' }));
    const answer = await meanwhile(
      'RepositoryTransferRejected',
      async () => {
        await done(own.post(`${offer}/reject`));
        await done(own.post(offer, { new_owner: 'gina' }));
      },
      () => bob.post(`${offer}/reject`),
    );
    expect(answer.status).to.equal(404);
    await done(gina.post(`${offer}/accept`));
  });

  it('accepts no other offer than the one that was looked at', async () => {
    const name = await repository();
    await api.createUser('iris');
    const org = fresh();
    await done(api.admin.post('/admin/users/iris/orgs', { username: org }));
    const teamIds: number[] = [];
    for (const team of ['one', 'two']) {
      const { json } = await api.admin.post(`/orgs/${org}/teams`, { name: team, units: ['repo.code'] });
      teamIds.push((json as { id: number }).id);
    }
    const [one, two] = teamIds;
    const iris = api.as({ username: 'iris', password: PASSWORD });
    const offer = `/repos/ann/${name}/transfer`;
    const own = elsewhere(ann);
    await done(own.post(offer, { new_owner: org, team_ids: [one] }));
    const answer = await meanwhile(
      'StorageReserved',
      async () => {
        await done(own.post(`${offer}/reject`));
        await done(own.post(offer, { new_owner: org, team_ids: [two] }));
      },
      () => iris.post(`${offer}/accept`),
    );
    expect(answer.status).to.equal(404);
    await done(iris.post(`${offer}/accept`));
    expect(await done(iris.get(`/teams/${one}/repos`))).to.have.lengthOf(0);
    expect(await done(iris.get(`/teams/${two}/repos`))).to.have.lengthOf(1);
  });

  it('purges no organization with its last owner that has another by then', async () => {
    for (const event of ['AccountClosing', 'RepositoryDeleted']) {
      const { id } = await api.createUser('hugo');
      const org = fresh();
      await done(api.admin.post('/admin/users/hugo/orgs', { username: org }));
      await done(api.admin.post(`/orgs/${org}/repos`, { name: 'kept' }));
      const [owners] = await done<{ id: number }[]>(api.admin.get(`/orgs/${org}/teams`));
      // Cut off before: so the account that is closed next is that of the organization.
      const close = { type: 'CloseAccount', data: { accountId: id, at: new Date().toISOString() } } as const;
      const commands = new CommandHandler({ log: api.connections.log });
      await commands.handle(Account, id, close, { commandId: fresh(), at: close.data.at });
      await done(api.admin.patch('/admin/users/hugo', { full_name: 'Hugo' })); // it learns of that
      let joined: TestAnswer | undefined;
      const purged = await meanwhile(
        event,
        async () => (joined = await other.admin.put(`/teams/${owners?.id}/members/bob`)),
        () => api.admin.delete('/admin/users/hugo?purge=true'),
      );
      expect(purged.status).to.equal(204);
      expect((await bob.get(`/repos/${org}/kept`)).status).to.equal(joined?.status === 204 ? 200 : 404);
    }
  });

  describe('lets no team into', () => {
    let org: string;
    let teamId: number;
    let member: TestUser;
    before(async () => {
      ({ org, teamId } = await organization());
      member = await api.createUser('member');
      await done(ann.put(`/teams/${teamId}/members/member`));
    });

    it('what leaves its organization', async () => {
      for (const path of [`/teams/${teamId}/repos/${org}/NAME`, `/repos/${org}/NAME/teams/people`]) {
        const name = fresh();
        await done(ann.post(`/orgs/${org}/repos`, { name, private: true }));
        const answer = await meanwhile(
          'TeamRepositoriesAdded',
          () => give(org, name, 'bob'),
          () => ann.put(path.replace('NAME', name)),
        );
        expect(answer.status).to.equal(404);
        expect((await member.get(`/repos/bob/${name}`)).status).to.equal(404);
      }
    });

    it('what leaves its organization while the team, which had all, keeps what there is', async () => {
      const names = [fresh(), fresh()];
      for (const name of names) await done(ann.post(`/orgs/${org}/repos`, { name, private: true }));
      const includesAll = (included: boolean) =>
        done(ann.patch(`/teams/${teamId}`, { includes_all_repositories: included }));
      await includesAll(true);
      await meanwhile(
        'TeamRepositoriesAdded',
        () => give(org, String(names[0]), 'bob'),
        () => includesAll(false),
      );
      await done(other.admin.post(`/repos/bob/${names[0]}/transfer`, { new_owner: org }));
      const kept = await done<{ name: string }[]>(ann.get(`/teams/${teamId}/repos`));
      expect(kept.map(({ name }) => name))
        .to.include(names[1])
        .and.not.include(names[0]);
    });

    it('what is transferred to its organization and goes on', async () => {
      const name = await repository({ private: true });
      await meanwhile(
        'TeamRepositoriesAdded',
        () => give(org, name, 'bob'),
        () => ann.post(`/repos/ann/${name}/transfer`, { new_owner: org, team_ids: [teamId] }),
      );
      expect((await member.get(`/repos/bob/${name}`)).status).to.equal(404);
    });
  });

  it('keeps for a team that has all repositories for a moment what there is', async () => {
    const { org, teamId } = await organization();
    const name = fresh();
    await done(ann.post(`/orgs/${org}/repos`, { name }));
    await meanwhile(
      'TeamEdited',
      () => done(elsewhere(ann).patch(`/teams/${teamId}`, { includes_all_repositories: true })),
      () => done(ann.patch(`/teams/${teamId}`, { includes_all_repositories: false, description: 'few' })),
    );
    const kept = await done<{ name: string }[]>(ann.get(`/teams/${teamId}/repos`));
    expect(kept.map((repository) => repository.name)).to.deep.equal([name]);
  });

  it('keeps for such a team what the read models do not show yet', async () => {
    const { org, teamId } = await organization();
    const name = fresh();
    await done(ann.patch(`/teams/${teamId}`, { includes_all_repositories: true }));
    await api.admin.get('/user');
    const { log } = api.connections;
    const before = await log.lastPosition();
    await api.pauseProjector();
    const making = ann.post(`/orgs/${org}/repos`, { name });
    await appendedAfter(log, before, 'RepositoryCreated');
    const narrow = () => api.admin.patch(`/teams/${teamId}`, { includes_all_repositories: false });
    const late = await narrow();
    api.resumeProjector();
    await done(making);
    expect([late.status, (await narrow()).status]).to.deep.equal([503, 200]);
    expect(await done<{ name: string }[]>(ann.get(`/teams/${teamId}/repos`))).to.have.lengthOf(1);
  });

  it('counts the bytes of what is transferred to and fro where it is in the end', async () => {
    const name = await repository();
    const { org } = await organization();
    const before = (await used('ann')).public;
    let back: Promise<unknown> | undefined; // waits until the way there is counted
    await meanwhile(
      'ObjectForgotten',
      () => {
        back = give(org, name, 'ann');
        return Promise.resolve();
      },
      () => done(ann.post(`/repos/ann/${name}/transfer`, { new_owner: org })),
    );
    await back;
    expect((await used('ann')).public).to.equal(before);
    expect((await used(org)).public).to.equal(0);
  });

  describe('leaves a fork as private as its base', () => {
    const shown = async (path: string) =>
      (await done<{ private: boolean }>(api.admin.get(`/repos/${path}`))).private;
    const forked = async (fields: object = {}) => {
      const name = await repository({ ...fields, auto_init: true });
      await done(ann.put(`/repos/ann/${name}/collaborators/bob`, { permission: 'read' }));
      await done(bob.post(`/repos/ann/${name}/forks`, {}));
      return name;
    };

    it('where the fork is edited while its base is hidden', async () => {
      const name = await forked();
      await meanwhile(
        'RepositoryEdited',
        () => done(elsewhere(ann).patch(`/repos/ann/${name}`, { private: true })),
        () => done(bob.patch(`/repos/bob/${name}`, { private: false, description: 'mine' })),
      );
      expect(await shown(`bob/${name}`)).to.equal(true);
    });

    it('where the base is hidden while it is shown, and the other way round', async () => {
      for (const isPrivate of [true, false]) {
        const name = await forked({ private: isPrivate });
        const change = (to: boolean) => ({ private: to });
        await meanwhile(
          'UsageMoved',
          () => done(elsewhere(ann).patch(`/repos/ann/${name}`, change(isPrivate))),
          () => done(ann.patch(`/repos/ann/${name}`, change(!isPrivate))),
        );
        expect([await shown(`ann/${name}`), await shown(`bob/${name}`)]).to.deep.equal([
          isPrivate,
          isPrivate,
        ]);
        await done(bob.delete(`/repos/bob/${name}`));
        const before = await used('ann');
        await done(ann.delete(`/repos/ann/${name}`));
        const kind = isPrivate ? 'private' : 'public';
        expect((await used('ann'))[kind]).to.be.lessThan(before[kind]);
      }
    });

    it('where the base is shown while it is forked', async () => {
      const name = await repository({ private: true, auto_init: true });
      await done(ann.put(`/repos/ann/${name}/collaborators/bob`, { permission: 'read' }));
      await meanwhile(
        'RepositoryCreated',
        () => done(elsewhere(ann).patch(`/repos/ann/${name}`, { private: false })),
        () => done(bob.post(`/repos/ann/${name}/forks`, {})),
      );
      expect(await shown(`bob/${name}`)).to.equal(false);
    });
  });

  it('gives an issue no two labels that exclude each other', async () => {
    const issues = `/repos/ann/${await repository()}/issues`;
    const labels = issues.replace('issues', 'labels');
    await done(ann.post(issues, { title: 'to do' }));
    const label = async (user: Client, name: string) => {
      const { id } = await done<{ id: number }>(user.post(labels, { name, color: 'fff', exclusive: true }));
      return { labels: [id] };
    };
    const high = await label(ann, 'priority/high');
    const own = elsewhere(ann);
    const answer = await meanwhile(
      'IssueLabelsChanged',
      async () => done(own.post(`${issues}/1/labels`, await label(own, 'priority/low'))),
      () => ann.post(`${issues}/1/labels`, high),
    );
    expect(answer.json).to.have.length(1);
  });

  it('assigns nobody who loses access', async () => {
    const name = await repository();
    const open = (event: string, send: () => Promise<TestAnswer>) =>
      meanwhile(event, () => done(elsewhere(ann).delete(`/repos/ann/${name}/collaborators/bob`)), send);
    const issues = `/repos/ann/${name}/issues`;
    for (const [event, send] of [
      ['IssueOpened', () => ann.post(issues, { title: 'to do', assignees: ['bob'] })],
      ['IssueAssigneesChanged', () => ann.patch(`${issues}/1`, { title: 'to be done', assignees: ['bob'] })],
    ] as const) {
      await done(ann.put(`/repos/ann/${name}/collaborators/bob`, { permission: 'write' }));
      const { assignees } = await done<{ assignees: unknown[] }>(open(event, send));
      expect(assignees).to.deep.equal([]);
    }
  });

  it('assigns nobody who has lost access, though the read models show that only after the assignment', async () => {
    const path = `/repos/ann/${await repository()}`;
    await done(ann.put(`${path}/collaborators/bob`, { permission: 'write' }));
    await done(ann.post(`${path}/issues`, { title: 'there already' }));
    await api.shown();
    const { log } = api.connections;
    await api.pauseProjector();
    await done(api.admin.delete(`${path}/collaborators/bob`));
    const before = await log.lastPosition();
    const editing = ann.patch(`${path}/issues/1`, { assignees: ['bob'] });
    const opening = ann.post(`${path}/issues`, { title: 'new', assignees: ['bob'] });
    await appendedAfter(log, before, 'IssueAssigneesChanged');
    await appendedAfter(log, before, 'IssueOpened');
    await sleep(2 * VISIBLE_WITHIN_MS); // by then, both have looked for what they have to take back
    api.resumeProjector();
    for (const { status, json } of await Promise.all([editing, opening]))
      expect([status, (json as { assignees: unknown }).assignees]).to.deep.equal([201, []]);
    const issues = await done<{ assignees: unknown[] }[]>(ann.get(`${path}/issues`));
    expect(issues.map(({ assignees }) => assignees)).to.deep.equal([[], []]);
  });

  it('shows no issue of a hidden repository that takes the name', async () => {
    const [shown, hidden] = [await repository(), await repository({ private: true })];
    for (const name of [shown, hidden]) await done(ann.post(`/repos/ann/${name}/issues`, { title: name }));
    const url = api.connections.databaseUrl;
    const searchPath = projections.map(schemaOf);
    const own = new Database({ url, applicationName: 'test', searchPath });
    let met!: () => void;
    const repositoryMet = new Promise<void>((resolve) => (met = resolve));
    const db: Queryable = {
      async rows(statement) {
        const { text } = statement as Statement;
        if (!text.includes('from issues')) return own.rows<never>(statement).finally(met);
        await repositoryMet;
        await done(ann.patch(`/repos/ann/${shown}`, { name: fresh() }));
        await done(ann.patch(`/repos/ann/${hidden}`, { name: shown }));
        return own.rows<never>(statement);
      },
    };
    const asked = issueAt({ db, caller: undefined, params: { owner: 'ann', repo: shown, index: 1 } });
    expect(await rejection(asked)).to.have.property('code', 'issue.absent');
    await own.close();
  });

  it('finds a repository that gets its name back between the look-ups', async () => {
    const name = await repository();
    const away = fresh();
    await done(ann.patch(`/repos/ann/${name}`, { name: away }));
    const url = api.connections.databaseUrl;
    const own = new Database({ url, applicationName: 'test', searchPath: projections.map(schemaOf) });
    let back: Promise<unknown> | undefined;
    const db: Queryable = {
      async rows(statement) {
        const rows = await own.rows<never>(statement);
        await (back ??= done(ann.patch(`/repos/ann/${away}`, { name })));
        return rows;
      },
    };
    const { repository: found } = await repositoryAt({
      db,
      caller: undefined,
      params: { owner: 'ann', repo: name },
    });
    expect(found.name).to.equal(name);
    await own.close();
  });

  describe('leaves in office', () => {
    const canAct = async (accountId: number) => {
      const commands = new CommandHandler({ log: api.connections.log });
      return (await commands.load(Administrators, ADMINISTRATORS)).state.canAct.get(accountId);
    };

    it('nobody who is deleted', async () => {
      for (const [event, isAdmin, send] of [
        ['AdministratorAppointed', false, () => api.admin.patch('/admin/users/eve', { admin: true })],
        [
          'AccountEdited',
          true,
          () => api.admin.patch('/admin/users/eve', { admin: false, full_name: 'Eve' }),
        ],
        ['AccountDeleted', true, () => api.admin.delete('/admin/users/eve')],
      ] as const) {
        const { id } = await api.createUser('eve');
        await done(api.admin.patch('/admin/users/eve', { admin: isAdmin }));
        const answer = await meanwhile(event, () => done(other.admin.delete('/admin/users/eve')), send);
        expect([answer.status, await canAct(id)], event).to.deep.equal([404, undefined]);
      }
    });

    it('whoever is not deleted after all, as one who can act only where the account is open', async () => {
      const { id } = await api.createUser('fay');
      await done(api.admin.patch('/admin/users/fay', { admin: true, prohibit_login: true }));
      const org = fresh();
      await done(api.admin.post('/admin/users/fay/orgs', { username: org }));
      const [owners] = await done<{ id: number }[]>(api.admin.get(`/orgs/${org}/teams`));
      for (const prohibited of [true, false]) {
        await done(api.admin.patch('/admin/users/fay', { prohibit_login: prohibited }));
        await done(api.admin.put(`/teams/${owners?.id}/members/bob`));
        const answer = await meanwhile(
          'AdministratorDismissed',
          () => done(other.admin.delete(`/teams/${owners?.id}/members/bob`)),
          () => api.admin.delete('/admin/users/fay'),
        );
        expect([answer.status, await canAct(id)]).to.deep.equal([422, !prohibited]);
      }
    });
  });
});
