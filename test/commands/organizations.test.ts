import { expect } from 'chai';
import { createUser, type AccountServices } from '../../src/commands/accounts/create-account.js';
import { abandonFoundations } from '../../src/commands/organizations/abandon-foundations.js';
import { addTeamMember } from '../../src/commands/organizations/add-team-member.js';
import { addTeamRepository } from '../../src/commands/organizations/add-team-repository.js';
import { createOrganization } from '../../src/commands/organizations/create-organization.js';
import { ANOTHER_OWNER, deleteOrganization } from '../../src/commands/organizations/delete-organization.js';
import { detachForeign } from '../../src/commands/organizations/detach-foreign.js';
import { removeMember } from '../../src/commands/organizations/remove-member.js';
import { Account } from '../../src/domain/accounts/account.js';
import { Organization, type OrganizationEvent } from '../../src/domain/organizations/organization.js';
import { Repository } from '../../src/domain/repositories/repository.js';
import { defaultSettings } from '../../src/domain/repositories/settings.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { EventStoreUnavailable, type EventStore } from '../../src/event-store/event-store.js';
import { accountProcess } from '../support/account-process.js';
import { InterceptedStore } from '../support/intercepted-store.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';

const at = '2026-01-01T00:00:00Z';

const readers = {
  description: '',
  permission: 'read',
  units: { 'repo.code': 'read' },
  includesAllRepositories: false,
  canCreateRepositories: false,
} as const;

/** Of an organization without repositories. */
const deletionOf = (accountId: number) => ({
  accountId,
  purge: false,
  repositories: { of: () => Promise.resolve([]), delete: () => Promise.resolve() },
});

describe('organizations in several processes', () => {
  let store: MemoryEventStore;
  let people: TestPeople;
  let commands: number;
  let creatorId: number;

  const process = (on: EventStore = store) => accountProcess({ store: on, people, patienceMs: 20 });
  const context = () => ({ commandId: `command ${(commands += 1)}`, at });
  const user = async (name: string) => {
    const asked = { name, email: `${name}@example.org`, password: 'long enough' };
    return (await createUser(process(), asked, context())).accountId;
  };
  const create = (services: AccountServices, name = 'acme') =>
    createOrganization(
      services,
      {
        creatorId,
        name,
        fullName: '',
        email: '',
        description: '',
        website: '',
        location: '',
        visibility: 'public',
        repoAdminChangeTeamAccess: false,
      },
      context(),
    );
  const typesIn = async (stream: string) =>
    (await new EventLog({ store, people }).readStream(stream)).map(({ type }) => type);

  beforeEach(async () => {
    store = new MemoryEventStore();
    people = new TestPeople();
    commands = 0;
    creatorId = await user('alice');
  });

  it('are founded with their owners before they exist', async () => {
    const { accountId, position } = await create(process());
    expect(await typesIn(`organization-${accountId}`)).to.deep.equal([
      'OrganizationFounded',
      'TeamCreated',
      'MemberJoined',
      'TeamMemberAdded',
    ]);
    expect(await typesIn(`account-${accountId}`)).to.deep.equal(['AccountCreated']);
    expect(position).to.equal(await store.lastPosition());
  });

  // Claim, id of the team, foundation, account: wherever the process dies, the name is had by who asks next.
  for (const append of [1, 2, 3, 4])
    for (const when of ['before', 'after'] as const) {
      const isCreated = append === 4 && when === 'after';
      it(`whose creator is killed ${when} append ${append} ${isCreated ? 'exist' : 'never do'}`, async () => {
        await rejection(create(killedAt(append, when)));
        const second = await create(process()).catch((error: unknown) => error);
        if (isCreated) expect(second).to.include({ code: 'account.name_taken' });
        else expect(await existing()).to.have.length(1);
      });
    }

  it('are not left to an owner whose deletion has begun', async () => {
    const data = { accountId: creatorId, at };
    await process().commands.handle(Account, creatorId, { type: 'CloseAccount', data }, context());
    expect(await rejection(create(process()))).to.include({
      kind: 'unavailable',
      code: 'account.being_deleted',
    });
    expect(await existing()).to.deep.equal([]);
  });

  for (const [when, awayMs] of [
    ['a minute ago', -61_000],
    ['by a clock that was ahead', 3_600_000],
  ] as const)
    it(`are left to an owner whose deletion was cut off ${when}`, async () => {
      const data = { accountId: creatorId, at: new Date(Date.parse(at) + awayMs).toISOString() };
      await process().commands.handle(Account, creatorId, { type: 'CloseAccount', data }, context());
      await create(process());
      expect(await typesIn(`account-${creatorId}`)).to.deep.equal([
        'AccountCreated',
        'AccountClosing',
        'AccountReopened',
      ]);
    });

  it('that were founded and never came are given up for good', async () => {
    const services = process();
    const { accountId } = await create(services);
    const orphan = 999;
    const found = { creatorId, ownersTeamId: 99, at };
    await services.commands.handle(
      Organization,
      orphan,
      { type: 'FoundOrganization', data: found },
      context(),
    );
    expect(await abandonFoundations(services.commands, [accountId, orphan], context())).to.deep.equal([
      accountId,
    ]);
    expect(await typesIn(`account-${orphan}`)).to.deep.equal(['ClaimAbandoned']);
    expect(await typesIn(`account-${accountId}`)).to.deep.equal(['AccountCreated']);
  });

  it('free their name when they are deleted, also when the process dies right after', async () => {
    const { accountId } = await create(process());
    const dying = killedAt(2, 'after');
    await rejection(deleteOrganization(dying, deletionOf(accountId), context()));
    expect(await typesIn(`account-${accountId}`)).to.deep.equal([
      'AccountCreated',
      'AccountClosing',
      'AccountDeleted',
    ]);
    expect((await create(process())).accountId).not.to.equal(accountId);
  });

  it('are deleted by a second attempt where the first died half-way', async () => {
    const { accountId } = await create(process());
    await rejection(deleteOrganization(killedAt(1, 'after'), deletionOf(accountId), context()));
    await deleteOrganization(process(), deletionOf(accountId), context());
    await create(process());
  });

  for (const [what, failure, closingAt] of [
    ['are open again where they cannot leave their quota groups', new Error('damaged'), undefined],
    ['stay under deletion where the log does not answer', new EventStoreUnavailable('no answer'), at],
  ] as const)
    it(what, async () => {
      const { accountId } = await create(process());
      const broken = new InterceptedStore(store, {
        beforeRead: (stream) => {
          if (stream.startsWith('quotaMembership-')) throw failure;
        },
      });
      const deleting = deleteOrganization(process(broken), deletionOf(accountId), context());
      expect(await rejection(deleting)).to.equal(failure);
      expect((await process().commands.load(Account, accountId)).state).to.include({
        status: 'exists',
        closingAt,
      });
    });

  it('are deleted anew where another deletion, which was refused, opens the account again', async () => {
    const services = process();
    const { accountId } = await create(services);
    let looked = 0;
    const of = async () => {
      looked += 1;
      const reopen = { type: 'ReopenAccount', data: { accountId, at } } as const;
      if (looked === 1) await process().commands.handle(Account, accountId, reopen, context());
      return [];
    };
    const { repositories, ...deletion } = deletionOf(accountId);
    await deleteOrganization(
      services,
      { ...deletion, repositories: { ...repositories, of } },
      { ...context(), repeatable: true },
    );
    expect(looked).to.equal(2);
    expect((await services.commands.load(Account, accountId)).state.status).to.equal('deleted');
  });

  it('are deleted after another deletion has come to its end, which may be a refusal', async () => {
    const services = process();
    const { accountId } = await create(services);
    const handle = (type: 'CloseAccount' | 'ReopenAccount') =>
      services.commands.handle(Account, accountId, { type, data: { accountId, at } }, context());
    await handle('CloseAccount');
    let looked = 0;
    const waiting = new InterceptedStore(store, {
      beforeRead: async (stream) => {
        if (stream === `account-${accountId}` && ++looked === 3) await handle('ReopenAccount');
      },
    });
    const found: string[][] = [];
    const of = async () => {
      found.push(await typesIn(`account-${accountId}`));
      return [];
    };
    const { repositories, ...deletion } = deletionOf(accountId);
    const asked = { ...deletion, repositories: { ...repositories, of } };
    await deleteOrganization(process(waiting), asked, context());
    expect(found).to.deep.equal([['AccountCreated', 'AccountClosing', 'AccountReopened', 'AccountClosing']]);
    expect((await services.commands.load(Account, accountId)).state.status).to.equal('deleted');
  });

  describe('a user who joins a team', () => {
    const beingDeleted = { kind: 'unavailable', code: 'account.being_deleted' };

    it('does not stay where its deletion began meanwhile', async () => {
      const { accountId: organizationId } = await create(process());
      const bob = await user('bob');
      const other = process();
      const closing = new InterceptedStore(store, {
        beforeAppend: async (stream, events) => {
          if (!stream.startsWith('organization-') || !events.some(({ type }) => type === 'TeamMemberAdded'))
            return;
          const data = { accountId: bob, at };
          await other.commands.handle(Account, bob, { type: 'CloseAccount', data }, context());
        },
      });
      const [teamId = 0] = (await other.commands.load(Organization, organizationId)).state.teams.keys();
      const member = { organizationId, teamId, accountId: bob };
      const adding = addTeamMember(process(closing).commands, member, context());
      expect(await rejection(adding)).to.include(beingDeleted);
      const { members } = (await process().commands.load(Organization, organizationId)).state;
      expect([...members.keys()]).to.deep.equal([creatorId]);
    });

    it('is at no time a member whom others count on where its deletion began before its turn came', async () => {
      const { commands: handler } = process();
      const { accountId: organizationId } = await create(process());
      const bob = await user('bob');
      const before = await handler.load(Organization, organizationId);
      const [teamId = 0] = before.state.teams.keys();
      let turns = 0;
      const closing = new InterceptedStore(store, {
        beforeRead: async (stream) => {
          const data = { accountId: bob, at };
          if (stream === `organization-${String(organizationId)}` && ++turns === 1)
            await handler.handle(Account, bob, { type: 'CloseAccount', data }, context());
        },
      });
      const adding = addTeamMember(
        process(closing).commands,
        { organizationId, teamId, accountId: bob },
        context(),
      );
      expect(await rejection(adding)).to.include(beingDeleted);
      expect(turns).to.be.at.least(1);
      expect((await handler.load(Organization, organizationId)).revision).to.equal(before.revision);
    });

    it('joins it where the deletion that is under way is refused', async () => {
      const { commands: handler } = process();
      const { accountId: organizationId } = await create(process());
      const bob = await user('bob');
      const [teamId = 0] = (await handler.load(Organization, organizationId)).state.teams.keys();
      const close = { type: 'CloseAccount', data: { accountId: bob, at } } as const;
      await handler.handle(Account, bob, close, context());
      let looked = 0;
      const waiting = new InterceptedStore(store, {
        beforeRead: async (stream) => {
          const reopen = { type: 'ReopenAccount', data: { accountId: bob, at } } as const;
          if (stream === `account-${bob}` && ++looked === 2)
            await handler.handle(Account, bob, reopen, context());
        },
      });
      const member = { organizationId, teamId, accountId: bob };
      await addTeamMember(process(waiting).commands, member, context());
      expect(looked).to.be.at.least(2);
      const { members } = (await process().commands.load(Organization, organizationId)).state;
      expect([...members.keys()]).to.deep.equal([creatorId, bob]);
    });

    it('stays a member who was one before, where the deletion comes to nothing', async () => {
      const { commands: handler } = process();
      const { accountId: organizationId } = await create(process());
      const bob = await user('bob');
      const [teamId = 0] = (await handler.load(Organization, organizationId)).state.teams.keys();
      const member = { organizationId, teamId, accountId: bob };
      await addTeamMember(handler, member, context());
      const data = { accountId: bob, at };
      await handler.handle(Account, bob, { type: 'CloseAccount', data }, context());
      expect(await rejection(addTeamMember(handler, member, context()))).to.include(beingDeleted);
      const { members } = (await process().commands.load(Organization, organizationId)).state;
      expect([...members.keys()]).to.deep.equal([creatorId, bob]);
    });
  });

  it('keep one of two owners who are removed at once by two processes', async () => {
    const { accountId: organizationId } = await create(process());
    const bob = await user('bob');
    const [teamId = 0] = (await process().commands.load(Organization, organizationId)).state.teams.keys();
    await addTeamMember(process().commands, { organizationId, teamId, accountId: bob }, context());
    const outcomes = await Promise.allSettled(
      [creatorId, bob].map((accountId) =>
        process().commands.handle(
          Organization,
          organizationId,
          { type: 'RemoveMember', data: { accountId, at } },
          context(),
        ),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const { members } = (await process().commands.load(Organization, organizationId)).state;
    expect(members.size).to.equal(1);
  });

  describe('have more teams than one append can take', () => {
    const REPOSITORY = 8;
    let organizationId: number;
    let bob: number;
    const state = async () => (await process().commands.load(Organization, organizationId)).state;

    /** Bob and a repository are in each of them. */
    beforeEach(async () => {
      ({ accountId: organizationId } = await create(process()));
      bob = await user('bob');
      const log = new EventLog({ store, people });
      let { revision } = await process().commands.load(Organization, organizationId);
      for (let first = 1_000; first < 4_000; first += 200) {
        const ids = Array.from({ length: 200 }, (_, index) => first + index);
        const events = ids.flatMap((teamId): OrganizationEvent[] => {
          const name = String(teamId).padEnd(255, 'x');
          const to = { teamId, teamName: name, addedAt: at };
          return [
            { type: 'TeamCreated', data: { ...readers, teamId, name, createdAt: at } },
            { type: 'TeamMemberAdded', data: { ...to, accountId: bob } },
            { type: 'TeamRepositoriesAdded', data: { ...to, repositoryIds: [REPOSITORY] } },
          ];
        });
        const joined: OrganizationEvent = { type: 'MemberJoined', data: { accountId: bob, joinedAt: at } };
        const all = first === 1_000 ? [joined, ...events] : events;
        ({ revision } = await log.append(
          `organization-${organizationId}`,
          revision,
          all,
          { $correlationId: 'found', at },
          `found ${first}`,
        ));
      }
    });

    it('of a member who is removed', async () => {
      await removeMember(process().commands, organizationId, bob, context());
      const { members, teams } = await state();
      expect([...members.keys()]).to.deep.equal([creatorId]);
      expect(teams.some(({ memberIds }) => memberIds.has(bob))).to.equal(false);
    });

    it('of a repository that is no longer theirs', async () => {
      await detachForeign(process().commands, organizationId, [REPOSITORY], context());
      expect((await state()).teams.some(({ repositoryIds }) => repositoryIds.has(REPOSITORY))).to.equal(
        false,
      );
    });
  });

  it('are not deleted with the last owner where there is another one', async () => {
    const { accountId: organizationId } = await create(process());
    const bob = await user('bob');
    const [teamId = 0] = (await process().commands.load(Organization, organizationId)).state.teams.keys();
    await addTeamMember(process().commands, { organizationId, teamId, accountId: bob }, context());
    const deletion = { ...deletionOf(organizationId), lastOwnerId: creatorId };
    expect(await rejection(deleteOrganization(process(), deletion, context()))).to.include({
      code: ANOTHER_OWNER,
    });
    const { status, closingAt } = (await process().commands.load(Account, organizationId)).state;
    expect([status, closingAt]).to.deep.equal(['exists', undefined]);

    const remove = { type: 'RemoveMember', data: { accountId: bob, at } } as const;
    await process().commands.handle(Organization, organizationId, remove, context());
    await deleteOrganization(process(), deletion, context());
    expect((await process().commands.load(Account, organizationId)).state.status).to.equal('deleted');
  });

  /** Makes an organization with a team, and a repository of its creator. */
  const withTeam = async () => {
    const { commands: handler } = process();
    const { accountId: organizationId } = await create(process());
    const [teamId, repositoryId, name] = [7, 8, 'code'];
    const facts = { creatorId, name, isPrivate: false, objectFormat: 'sha1', trustModel: 'default' } as const;
    const began = { settings: defaultSettings, refs: { pushId: '', updates: [] }, createdAt: at };
    const born = { type: 'CreateRepository', data: { ownerId: creatorId, ...facts, ...began } } as const;
    await handler.begin(Repository, repositoryId, born, context());
    const team = { name: 'smiths', permission: 'write', units: ['repo.code'] };
    const found = { type: 'CreateTeam', data: { teamId, team, at } } as const;
    await handler.handle(Organization, organizationId, found, context());
    return { handler, organizationId, teamId, repositoryId, name };
  };

  it('do not leave a repository to a team that another account owns by now', async () => {
    const { handler, ...given } = await withTeam();
    expect(await rejection(addTeamRepository(handler, given, context()))).to.include({
      code: 'repository.absent',
    });
    const { teams } = (await handler.load(Organization, given.organizationId)).state;
    expect(teams.get(given.teamId)?.repositoryIds.size).to.equal(0);
  });

  it('leave a repository to their teams that comes back while it is taken from these', async () => {
    const { handler, organizationId, teamId, repositoryId, name } = await withTeam();
    const give = {
      type: 'AddTeamRepositories',
      data: { teamId, repositoryIds: [repositoryId], at },
    } as const;
    await handler.handle(Organization, organizationId, give, context());

    let looks = 0;
    const returning = new InterceptedStore(store, {
      beforeRead: async (stream) => {
        if (stream !== `organization-${organizationId}` || ++looks > 1) return;
        const ids = { ownerId: creatorId, recipientId: organizationId, teamIds: [teamId] };
        const back = { type: 'Transfer', data: { ...ids, name, claimsLost: 0, at } } as const;
        await handler.handle(Repository, repositoryId, back, context());
      },
    });
    await detachForeign(process(returning).commands, organizationId, [repositoryId], context());
    expect(looks).to.be.at.least(1);
    const { teams } = (await handler.load(Organization, organizationId)).state;
    expect([...(teams.get(teamId)?.repositoryIds ?? [])]).to.deep.equal([repositoryId]);
  });

  /** The organizations whose account was created, by the log itself. */
  async function existing(): Promise<unknown[]> {
    const found: unknown[] = [];
    const ending = new AbortController();
    const log = new EventLog({ store, people });
    for await (const { events, caughtUp } of log.subscribe(-1n, { signal: ending.signal })) {
      for (const { type, data } of events)
        if (type === 'AccountCreated' && data.kind === 'organization') found.push(data.accountId);
      if (caughtUp) break;
    }
    return found;
  }

  /** A process that is dead from a point on: nothing it still does has any effect. */
  function killedAt(append: number, when: 'before' | 'after'): AccountServices {
    let appends = 0;
    let dead = false;
    const live = () => {
      if (dead) throw new Error('killed');
    };
    const counts = (stream: string) => !stream.startsWith('ids-account');
    return process(
      new InterceptedStore(store, {
        beforeRead: live,
        beforeAppend: (stream) => {
          live();
          if (!counts(stream)) return;
          dead = ++appends === append && when === 'before';
          live();
        },
        afterAppend: (stream) => {
          if (counts(stream)) dead = appends === append;
          live();
        },
      }),
    );
  }
});
