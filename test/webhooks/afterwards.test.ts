import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { Storage } from '../../src/commands/quota/storage.js';
import { readServiceConfig } from '../../src/start/service-config.js';
import { connect, type Connections } from '../../src/connections.js';
import { Account } from '../../src/domain/accounts/account.js';
import { Administrators } from '../../src/domain/accounts/administrators.js';
import type { Decider, Message } from '../../src/domain/decider.js';
import { Hook } from '../../src/domain/hooks/hook.js';
import { Organization } from '../../src/domain/organizations/organization.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';
import { Repository } from '../../src/domain/repositories/repository.js';
import { findHookById } from '../../src/queries/hooks/hooks.js';
import { afterwards } from '../../src/webhooks/afterwards.js';
import { Deliveries } from '../../src/webhooks/deliveries.js';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../support/api.js';

/** Commands whose process ended after the append that counts: the dispatcher does what follows from it. */
describe('what a command that was cut off left to the dispatcher', () => {
  let api: TestApi;
  let ann: TestUser;
  let bob: TestUser;
  let connections: Connections;
  let commands: CommandHandler;
  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
    bob = await api.createUser('bob');
    connections = await connect(await readServiceConfig(api.environment), {
      applicationName: 'test',
      searchPath: projections.map((projection) => schemaOf(projection)),
      onError: () => undefined,
    });
    await connections.vault.start();
    commands = new CommandHandler({ log: connections.log });
  });
  after(async () => {
    await connections.close();
    await api.stop();
  });

  async function made<T = { id: number }>(answer: ReturnType<TestUser['post']>): Promise<T> {
    const { status, json, text } = await answer;
    expect(status, text).to.be.within(200, 299);
    return json as T;
  }

  /** Appends to one stream and no more, as a process does that ends there; then the dispatcher comes, twice. */
  async function cutOff<C extends Message, E extends Message, S>(
    decider: Decider<C, E, S>,
    id: number | string,
    command: C,
  ): Promise<void> {
    const position = await connections.store.lastPosition();
    const context = {
      commandId: randomUUID(),
      at: new Date().toISOString(),
      actor: { id: ann.id, name: 'ann' },
    };
    await commands.handle(decider, id, command, context);
    await api.shown();
    await dispatched(position);
  }

  /** Does what follows from everything after the position, or from events of one type, twice. */
  async function dispatched(position: bigint, type?: string): Promise<void> {
    const storage = new Storage({ commands, limited: true });
    const deliveries = new Deliveries(connections.db);
    const reached = () => api.shown().then(() => true);
    const findTarget = () => Promise.resolve(undefined);
    const freeze = () => Buffer.alloc(0);
    const hooks = { deliveries, findTarget, freeze };
    const follow = afterwards({ ...connections, commands, storage, ...hooks, reached });
    const ended = new AbortController();
    for await (const { events } of connections.log.subscribe(position, { signal: ended.signal })) {
      for (const event of [...events, ...events])
        if (type === undefined || event.type === type) await follow(event)?.();
      ended.abort();
    }
    await api.shown();
  }

  const at = new Date().toISOString();

  describe('takes whoever lost access off issues', () => {
    let organizationId: number;
    let repositoryId: number;
    let teamId: number;
    const ISSUE = '/repos/acme/project/issues/1';
    before(async () => {
      ({ id: organizationId } = await made(ann.post('/orgs', { username: 'acme' })));
      ({ id: repositoryId } = await made(ann.post('/orgs/acme/repos', { name: 'project' })));
      await made(ann.post('/repos/acme/project/issues', { title: 'to do' }));
    });

    const assigned = async () => {
      const { assignees } = await made<{ assignees: { login: string }[] | null }>(ann.get(ISSUE));
      return (assignees ?? []).map(({ login }) => login);
    };
    const assign = async () => {
      await made(ann.patch(ISSUE, { assignees: ['ann', 'bob'] }));
      expect(await assigned()).to.have.members(['ann', 'bob']);
    };
    const throughTeam = async () => {
      const team = {
        name: `writers-${randomUUID()}`.slice(0, 30),
        permission: 'write',
        units: ['repo.issues'],
      };
      const all = { includes_all_repositories: true };
      ({ id: teamId } = await made(ann.post('/orgs/acme/teams', { ...team, ...all })));
      await made(ann.put(`/teams/${teamId}/members/bob`));
      await assign();
    };

    it('as its team may do less, and not as that has another name', async () => {
      await throughTeam();
      const edit = (changes: object) =>
        cutOff(Organization, organizationId, { type: 'EditTeam', data: { teamId, changes, at } });
      await edit({ name: 'renamed' });
      expect(await assigned()).to.have.members(['ann', 'bob']);
      await edit({ permission: 'read', units: ['repo.code'] });
      expect(await assigned()).to.deep.equal(['ann']);
    });

    it('as its team lost the repository', async () => {
      const few = { name: 'few', permission: 'write', units: ['repo.issues'] };
      ({ id: teamId } = await made(ann.post('/orgs/acme/teams', few)));
      await made(ann.put(`/teams/${teamId}/members/bob`));
      await made(ann.put(`/teams/${teamId}/repos/acme/project`));
      await assign();
      const data = { teamId, repositoryId, at };
      await cutOff(Organization, organizationId, { type: 'RemoveTeamRepository', data });
      expect(await assigned()).to.deep.equal(['ann']);
    });

    it('with a team that was deleted', async () => {
      await throughTeam();
      await cutOff(Organization, organizationId, { type: 'DeleteTeam', data: { teamId, at } });
      expect(await assigned()).to.deep.equal(['ann']);
    });

    it('as it left a team', async () => {
      await throughTeam();
      const data = { teamId, accountId: bob.id, at };
      await cutOff(Organization, organizationId, { type: 'RemoveTeamMember', data });
      expect(await assigned()).to.deep.equal(['ann']);
    });

    it('as it left the organization', async () => {
      await throughTeam();
      await cutOff(Organization, organizationId, { type: 'RemoveMember', data: { accountId: bob.id, at } });
      expect(await assigned()).to.deep.equal(['ann']);
    });

    it('as it was a collaborator, and in the name of who removed it', async () => {
      await made(ann.put('/repos/acme/project/collaborators/bob', { permission: 'write' }));
      await assign();
      const data = { accountId: bob.id, at };
      await cutOff(Repository, repositoryId, { type: 'RemoveCollaborator', data });
      expect(await assigned()).to.deep.equal(['ann']);
      const [last] = await connections.log.readStream(`issue-${repositoryId}-1`, {
        direction: 'backwards',
        max: 1,
      });
      expect(last?.metadata.actor?.id).to.equal(ann.id);
    });

    it('but not where it may be assigned all the same', async () => {
      await throughTeam();
      await made(ann.put('/repos/acme/project/collaborators/bob', { permission: 'write' }));
      await cutOff(Organization, organizationId, { type: 'RemoveMember', data: { accountId: bob.id, at } });
      expect(await assigned()).to.have.members(['ann', 'bob']);
    });

    it('but not an account that is deleted, which the issue does not show', async () => {
      await throughTeam();
      await api.createUser('eve');
      await made(ann.put('/repos/acme/project/collaborators/eve', { permission: 'write' }));
      await made(ann.patch(ISSUE, { assignees: ['eve'] }));
      await made(api.admin.delete('/admin/users/eve'));
      const last = { direction: 'backwards', max: 1 } as const;
      const lastChange = async () => connections.log.readStream(`issue-${repositoryId}-1`, last);
      const before = await lastChange();
      const changes = { permission: 'read', units: ['repo.code'] } as const;
      await cutOff(Organization, organizationId, { type: 'EditTeam', data: { teamId, changes, at } });
      await made(ann.patch(`/teams/${teamId}`, { permission: 'write', units: ['repo.issues'] }));
      const { id } = await made(ann.post('/orgs/acme/teams', { name: 'fewer', units: ['repo.issues'] }));
      await made(ann.put(`/teams/${id}/repos/acme/project`));
      await made(ann.delete(`/teams/${id}/repos/acme/project`));
      expect(await lastChange()).to.deep.equal(before);
      expect(await assigned()).to.deep.equal([]);
    });
  });

  describe('has the forks of a repository', () => {
    let baseId: number;
    before(async () => {
      ({ id: baseId } = await made(ann.post('/user/repos', { name: 'base', auto_init: true })));
      await made(bob.post('/repos/ann/base/forks', {}));
    });
    const fork = () => made<{ fork: boolean; private: boolean }>(bob.get('/repos/bob/base'));
    const used = async (user: TestUser) => {
      const { json } = await user.get('/user/quota');
      return (json as { used: { size: { repos: { public: number; private: number } } } }).used.size.repos;
    };

    it('become private with it, and their bytes count as such', async () => {
      const data = { settings: {}, isPrivate: true, at };
      await cutOff(Repository, baseId, { type: 'EditRepository', data });
      expect(await fork()).to.include({ fork: true, private: true });
      for (const user of [ann, bob]) {
        expect((await used(user)).private).to.be.greaterThan(0);
        expect((await used(user)).public).to.equal(0);
      }
    });

    it('become public again with it, unless its owner hides what it has', async () => {
      const own = { accountId: ann.id, profile: {}, newPassword: false, at };
      const visible = (visibility: 'public' | 'private') =>
        cutOff(Account, ann.id, { type: 'EditAccount', data: { ...own, settings: { visibility } } });
      await cutOff(Repository, baseId, {
        type: 'EditRepository',
        data: { settings: {}, isPrivate: false, at },
      });
      expect(await fork()).to.include({ private: false });
      await visible('private');
      expect(await fork()).to.include({ private: true });
      expect((await used(bob)).public).to.equal(0);
      await visible('public');
      expect(await fork()).to.include({ private: false });
    });

    it('become private with another owner that hides what it has', async () => {
      const hidden = { username: 'hidden', visibility: 'private' };
      const { id: recipientId } = await made(ann.post('/orgs', hidden));
      const give = async (from: number, to: number) => {
        const { claimsLost } = (await commands.load(Repository, baseId)).state;
        const move = { ownerId: from, recipientId: to, teamIds: [], name: 'base', claimsLost, at };
        await cutOff(Repository, baseId, { type: 'Transfer', data: move });
      };
      await give(ann.id, recipientId);
      expect(await fork()).to.include({ private: true });
      await give(recipientId, ann.id);
      expect(await fork()).to.include({ private: false });
    });

    it('become what it has become while they were made', async () => {
      const { id } = await made(ann.post('/user/repos', { name: 'moving' }));
      const { settings } = (await commands.load(Repository, id)).state;
      const forked = async (forkId: number) => {
        const facts = {
          ownerId: bob.id,
          creatorId: bob.id,
          isPrivate: false,
          trustModel: 'default',
          settings,
        };
        const refs = { pushId: randomUUID(), updates: [] };
        const rest = {
          name: `late-${forkId}`,
          objectFormat: 'sha1',
          baseId: id,
          refs,
          createdAt: at,
        } as const;
        await cutOff(Repository, forkId, { type: 'CreateRepository', data: { ...facts, ...rest } });
        const { isPrivate, baseId } = (await commands.load(Repository, forkId)).state;
        return [isPrivate, baseId];
      };
      await made(ann.patch('/repos/ann/moving', { private: true }));
      expect(await forked(999_998)).to.deep.equal([true, id]);
      expect((await ann.delete('/repos/ann/moving')).status).to.equal(204);
      expect(await forked(999_999)).to.deep.equal([false, undefined]);
    });

    it("be nobody's when it is deleted", async () => {
      await cutOff(Repository, baseId, { type: 'DeleteRepository', data: { ownerId: ann.id, at } });
      expect(await fork()).to.include({ fork: false, private: false });
    });
  });

  it('gives what was transferred to the teams that were named, once, and takes it from the others', async () => {
    const { id: recipientId } = await made(ann.post('/orgs', { username: 'buyers' }));
    const { id: ownerId } = await made(ann.post('/orgs', { username: 'sellers' }));
    const { id: repositoryId } = await made(ann.post('/orgs/sellers/repos', { name: 'goods' }));
    const team = { name: 'porters', permission: 'write', units: ['repo.code'] };
    const { id: before } = await made(ann.post('/orgs/sellers/teams', team));
    const { id: after } = await made(ann.post('/orgs/buyers/teams', team));
    await made(ann.put(`/teams/${before}/repos/sellers/goods`));
    const held = async (id: number) =>
      (await made<{ name: string }[]>(ann.get(`/teams/${id}/repos`))).map(({ name }) => name);
    expect(await held(before)).to.deep.equal(['goods']);
    const position = await connections.store.lastPosition();
    const { claimsLost } = (await commands.load(Repository, repositoryId)).state;
    const data = {
      ownerId,
      recipientId,
      teamIds: [after],
      name: 'goods',
      claimsLost,
      isAcceptance: false,
      at,
    };
    await cutOff(Repository, repositoryId, { type: 'Transfer', data });
    expect([await held(before), await held(after)]).to.deep.equal([[], ['goods']]);
    await made(ann.delete(`/teams/${after}/repos/buyers/goods`));
    await dispatched(position);
    expect(await held(after)).to.deep.equal([]);
  });

  it('takes whoever lost it by a transfer off its issues, but not the teams that got it', async () => {
    const { id: recipientId } = await made(ann.post('/orgs', { username: 'takers' }));
    const [seller, cat] = [await api.createUser('seller'), await api.createUser('cat')];
    const { id: repositoryId } = await made(seller.post('/user/repos', { name: 'goods' }));
    const team = { name: 'porters', permission: 'write', units: ['repo.issues'] };
    const { id: teamId } = await made(ann.post('/orgs/takers/teams', team));
    await made(ann.put(`/teams/${teamId}/members/cat`));
    await made(seller.put('/repos/seller/goods/collaborators/cat', { permission: 'write' }));
    await made(seller.post('/repos/seller/goods/issues', { title: 'to do', assignees: ['seller', 'cat'] }));
    const gone = { type: 'RemoveCollaborator', data: { accountId: cat.id, at } } as const;
    await commands.handle(Repository, repositoryId, gone, { commandId: randomUUID(), at });
    const { claimsLost } = (await commands.load(Repository, repositoryId)).state;
    const data = { ownerId: seller.id, recipientId, teamIds: [teamId], name: 'goods', claimsLost, at };
    await cutOff(Repository, repositoryId, { type: 'Transfer', data });
    const issue = await made<{ assignees: { login: string }[] }>(ann.get('/repos/takers/goods/issues/1'));
    expect(issue.assignees.map(({ login }) => login)).to.deep.equal(['cat']);
  });

  it('counts what was transferred as what it has become since room was kept for it', async () => {
    const { id: recipientId } = await made(ann.post('/orgs', { username: 'keepers' }));
    const { id: repositoryId } = await made(ann.post('/user/repos', { name: 'secret' }));
    const wanted = { objectId: String(repositoryId), subject: 'size:repos:public', bytes: 5n } as const;
    const context = { commandId: randomUUID(), at };
    const storage = new Storage({ commands, limited: true });
    await storage.reserve(recipientId, { ...wanted, previousOwnerId: ann.id }, context);
    await cutOff(Repository, repositoryId, {
      type: 'EditRepository',
      data: { settings: {}, isPrivate: true, at },
    });
    const { claimsLost } = (await commands.load(Repository, repositoryId)).state;
    const data = { ownerId: ann.id, recipientId, teamIds: [], name: 'secret', claimsLost, at };
    await cutOff(Repository, repositoryId, { type: 'Transfer', data });
    const { reservations } = (await commands.load(StorageLedger, recipientId)).state;
    expect([...reservations.values()].map(({ subject }) => subject)).to.deep.equal(['size:repos:private']);
  });

  it('takes hooks away with what they belong to, but not before that is told to them', async () => {
    await made(ann.post('/user/repos', { name: 'hooked' }));
    const position = await connections.store.lastPosition();
    const hook = { type: 'forgejo', config: { url: 'https://example.org/', content_type: 'json' } };
    const { id } = await made(ann.post('/repos/ann/hooked/hooks', hook));
    expect((await ann.delete('/repos/ann/hooked')).status).to.equal(204);
    await dispatched(position, 'HookCreated');
    expect(await findHookById(connections.db, id)).to.include({ id });
    await dispatched(position);
    expect(await findHookById(connections.db, id)).to.equal(undefined);
  });

  it('takes hooks away that were created after what they belong to was deleted', async () => {
    const { id: ownerId } = await made(ann.post('/user/repos', { name: 'gone' }));
    expect((await ann.delete('/repos/ann/gone')).status).to.equal(204);
    const facts = {
      url: 'https://example.org/',
      contentType: 'json',
      events: ['push'],
      branchFilter: '',
      isActive: true,
      secretId: null,
      authorizationId: null,
    } as const;
    const hookId = 999_999;
    const place = { hookId, scope: 'repository', ownerId } as const;
    await cutOff(Hook, hookId, { type: 'CreateHook', data: { ...place, type: 'forgejo', facts, at } });
    expect(await findHookById(connections.db, hookId)).to.equal(undefined);
  });

  it('takes whoever is deleted out of organizations and office that it came into meanwhile', async () => {
    const { id: accountId } = await api.createUser('dave');
    const { id: organizationId } = await made(ann.post('/orgs', { username: 'hosts' }));
    const [teamId = 0] = (await commands.load(Organization, organizationId)).state.teams.keys();
    const data = { accountId, at };
    await cutOff(Account, accountId, { type: 'CloseAccount', data });
    await cutOff(Organization, organizationId, { type: 'AddTeamMember', data: { ...data, teamId } });
    await cutOff(Administrators, 'main', { type: 'AppointAdministrator', data });
    await cutOff(Account, accountId, { type: 'DeleteAccount', data });
    const { members, teams } = (await commands.load(Organization, organizationId)).state;
    expect([...members.keys(), ...(teams.get(teamId)?.memberIds ?? [])]).to.deep.equal([ann.id, ann.id]);
    expect((await commands.load(Administrators, 'main')).state.canAct.has(accountId)).to.equal(false);
  });

  it('takes back what was offered to whoever is deleted', async () => {
    const gone = await api.createUser('gone');
    await made(ann.post('/user/repos', { name: 'offered', private: true }));
    const offer = (username: string) => ann.post('/repos/ann/offered/transfer', { new_owner: username });
    await made(offer('gone'));
    expect((await offer('bob')).status).to.equal(409);
    await cutOff(Account, gone.id, { type: 'CloseAccount', data: { accountId: gone.id, at } });
    await cutOff(Account, gone.id, { type: 'DeleteAccount', data: { accountId: gone.id, at } });
    const answer = await offer('bob');
    expect(answer.status, answer.text).to.equal(201);
  });

  it('ends a token that was deleted', async () => {
    const { id: accountId } = await api.createUser('dora');
    const { token } = await api.createToken('dora', 'all');
    const { tokens } = connections.vault;
    const { tokenId = 0 } = (await tokens.find(token)) ?? {};
    await cutOff(Account, accountId, { type: 'DeleteAccessToken', data: { accountId, tokenId, at } });
    expect(await tokens.find(token)).to.equal(undefined);
  });

  it('forgets what a deleted user signed in with', async () => {
    const { id: accountId } = await api.createUser('carol');
    const { token } = await api.createToken('carol', 'all');
    const { credentials, tokens } = connections.vault;
    expect(await tokens.find(token)).to.include({ accountId });
    await commands.handle(
      Account,
      accountId,
      { type: 'CloseAccount', data: { accountId, at } },
      { commandId: randomUUID(), at },
    );
    await cutOff(Account, accountId, { type: 'DeleteAccount', data: { accountId, at } });
    expect(await credentials.verify(accountId, PASSWORD)).to.equal(false);
    expect(await tokens.find(token)).to.equal(undefined);
  });
});
