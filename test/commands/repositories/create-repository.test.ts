import { expect } from 'chai';
import { join } from 'node:path';
import { createUser } from '../../../src/commands/accounts/create-account.js';
import type { CommandContext } from '../../../src/commands/context.js';
import { StreamContended } from '../../../src/commands/handle.js';
import { changeFiles } from '../../../src/commands/repositories/change-files.js';
import { createRepository } from '../../../src/commands/repositories/create-repository.js';
import { deleteRepository } from '../../../src/commands/repositories/delete-repository.js';
import type { Fill } from '../../../src/commands/repositories/new-repository.js';
import { editRepository } from '../../../src/commands/repositories/edit-repository.js';
import { forkRepository } from '../../../src/commands/repositories/fork-repository.js';
import { firstCommit, nothingAt } from '../../../src/commands/repositories/initial-content.js';
import { ownRepositories } from '../../../src/commands/repositories/owned-repositories.js';
import { publishStaged } from '../../../src/commands/repositories/publish-staged.js';
import { RepositoryLocks } from '../../../src/commands/repositories/repository-locks.js';
import { countAlone, countStorage } from '../../../src/commands/repositories/count-storage.js';
import { settleRefs } from '../../../src/commands/repositories/roll-forward.js';
import { transferRepository } from '../../../src/commands/repositories/transfer-repository.js';
import { updateRefs } from '../../../src/commands/repositories/update-refs.js';
import { Account } from '../../../src/domain/accounts/account.js';
import { invalid } from '../../../src/domain/errors.js';
import { RepositoryLabels } from '../../../src/domain/issues/repository-labels.js';
import { QuotaCatalogue } from '../../../src/domain/quota/quota-catalogue.js';
import { QuotaExceeded } from '../../../src/domain/quota/quota-exceeded.js';
import { QuotaMembership } from '../../../src/domain/quota/quota-membership.js';
import { StorageLedger } from '../../../src/domain/quota/storage-ledger.js';
import { Repository } from '../../../src/domain/repositories/repository.js';
import { defaultSettings } from '../../../src/domain/repositories/settings.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import {
  EventStoreUnavailable,
  type EventData,
  type EventStore,
} from '../../../src/event-store/event-store.js';
import type { Git } from '../../../src/git/git.js';
import { openGit } from '../../../src/git/open-git.js';
import { dataDir } from '../../support/data-dir.js';
import { InterceptedStore } from '../../support/intercepted-store.js';
import { TestPeople } from '../../support/people.js';
import { rejection } from '../../support/rejection.js';
import { killedAt, repositoryProcess, type RepositoryProcess } from './world.js';

const at = '2026-01-01T00:00:00Z';
const author = { name: 'Ann', email: 'ann@example.org', at };

describe('repositories in several processes', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  let git: Git;
  let locks: RepositoryLocks;
  let store: MemoryEventStore;
  let people: TestPeople;
  let commands: number;
  let ownerId: number;

  beforeEach(async () => {
    data = await dataDir();
    git = await openGit({ folder: join(data.path, 'repositories') });
    locks = new RepositoryLocks({ dataDir: data.path });
    store = new MemoryEventStore();
    people = new TestPeople();
    commands = 0;
    const user = { name: 'ann', email: 'ann@example.org', password: 'long enough' };
    ownerId = (await createUser(process(), user, context())).accountId;
  });
  afterEach(async () => {
    locks.close();
    await data.remove();
  });

  const process = (on: EventStore = store) =>
    repositoryProcess({ store: on, people, git, locks, patienceMs: 20 });
  /** One whose reservations keep nobody waiting. */
  const hasty = (on: EventStore) =>
    repositoryProcess({ store: on, people, git, locks, patienceMs: 20, leaseMs: 0 });
  const context = () => ({ commandId: `command ${(commands += 1)}`, at });
  const create = (services: RepositoryProcess, name = 'code', fill?: Fill, own = context()) =>
    createRepository(
      services,
      { ownerId, creatorId: ownerId, name, isPrivate: false, settings: defaultSettings },
      fill ?? firstCommit(git, 'main', [{ path: 'README.md', content: '# code\n' }], author),
      own,
    );
  const close = () =>
    process().commands.handle(
      Account,
      ownerId,
      { type: 'CloseAccount', data: { accountId: ownerId, at } },
      context(),
    );
  const stateOf = async (id: number) => (await process().commands.load(Repository, id)).state;
  const onDisk = async () => {
    const ids: number[] = [];
    for await (const id of git.ids()) ids.push(id);
    return ids;
  };
  /** Allows the account no more bytes than these. */
  const limited = async (accountId: number, bytes: bigint) => {
    const handler = process().commands;
    const group = { id: commands + 1, name: `at most ${bytes}` };
    const rules = [{ ...group, limit: bytes.toString(), subjects: ['size:all' as const] }];
    const create = { type: 'CreateQuotaGroup', data: { ...group, rules, at } } as const;
    await handler.handle(QuotaCatalogue, 'main', create, context());
    const set = { type: 'SetQuotaGroups', data: { groups: [group], at } } as const;
    await handler.handle(QuotaMembership, accountId, set, context());
  };
  const addBranch = async (repositoryId: number, name: string) => {
    const [after = ''] = (await git.refs(repositoryId)).values();
    const changes = [{ ref: `refs/heads/${name}`, before: null, after }];
    await updateRefs(process(), { repositoryId, pusherId: ownerId, changes }, context());
  };
  const commit = (services: RepositoryProcess, repositoryId: number, own: CommandContext) => {
    const content = Buffer.from(own.at);
    const pusher = { accountId: ownerId, teamIds: [], writes: true };
    const people = { author: { ...author, at: own.at }, committer: { ...author, at: own.at } };
    const files = [{ operation: 'create', path: 'late.txt', content }] as const;
    const asked = { repositoryId, pusher, branch: undefined, newBranch: undefined, files, message: 'late' };
    return changeFiles(services, { ...asked, ...people }, own);
  };
  const ledger = async () => (await process().commands.load(StorageLedger, ownerId)).state;

  it('says of its first commit what git says of it', async () => {
    const services = process();
    const { repositoryId } = await create(services);
    const [[ref, hash] = ['', '']] = await git.refs(repositoryId);
    const { committer } = (await git.commit(repositoryId, hash)) ?? {};
    const events = await services.log.readStream(`repository-${repositoryId}`);
    const [updates] = events.flatMap(({ type, data }) => (type === 'RefsUpdated' ? [data.updates] : []));
    expect(updates).to.deep.equal([
      { ref, before: null, after: hash, committedAt: committer?.at, commits: [hash], commitCount: 1 },
    ]);
  });

  it('have the refs that are on disk, and bytes that count', async () => {
    const { repositoryId } = await create(process());
    const { status, refs } = await stateOf(repositoryId);
    expect(status).to.equal('exists');
    expect([...refs]).to.deep.equal([...(await git.refs(repositoryId))]);
    const { usage, reservations } = await ledger();
    expect(usage['size:repos:public']).to.equal(await git.sizeOf(repositoryId));
    expect(reservations.size).to.equal(0);
  });

  // A block of ids, claim, reservation, repository, settlement: wherever the process dies, the name is had by who asks next.
  for (const append of [1, 2, 3, 4, 5])
    for (const when of ['before', 'after'] as const) {
      const isCreated = append === 5 || (append === 4 && when === 'after');
      it(`whose creator is killed ${when} append ${append} ${isCreated ? 'exist' : 'never do'}`, async () => {
        await rejection(create(hasty(killedAt(store, append, when))));
        const second = await create(process()).catch((error: unknown) => error);
        if (isCreated) expect(second).to.include({ code: 'repository.name_taken' });
        else {
          const { repositoryId } = second as { repositoryId: number };
          const ids = await onDisk();
          expect(ids).to.include(repositoryId);
          for (const id of ids)
            expect((await stateOf(id)).status).to.equal(id === repositoryId ? 'exists' : 'abandoned');
        }
      });
    }

  it('whose creator pauses for too long begin again, and find the name taken', async () => {
    let taken = false;
    const paused = new InterceptedStore(store, {
      beforeAppend: async (stream, events) => {
        if (taken || !events.some(({ type }) => type === 'RepositoryCreated')) return;
        taken = true;
        await create(process());
      },
    });
    expect(await rejection(create(hasty(paused)))).to.include({ code: 'repository.name_taken' });
    expect(await onDisk()).to.have.length(1);
    expect((await ledger()).reservations.size).to.equal(0);
  });

  it('are created once where two want one name', async () => {
    const outcomes = await Promise.allSettled([
      create(process()),
      create(process()),
      create(process(), 'CODE'),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected', 'rejected']);
    expect(await onDisk()).to.have.length(1);
  });

  it('pass over what is on disk under ids still to come, as after the log has lost events', async () => {
    const services = process();
    const { repositoryId: first } = await create(services);
    for (const lost of [first + 1, first + 2]) await git.create(lost, { defaultBranch: 'lost' });
    expect(await create(services, 'next')).to.include({ repositoryId: first + 3 });
    for (const lost of [first + 1, first + 2]) expect(await git.head(lost)).to.equal('lost');
  });

  it('leave nothing where what is put in is refused', async () => {
    const refuse: Fill = async (id) => {
      await git.create(id, { defaultBranch: 'main' });
      throw invalid('test.refused', 'Test', 'no');
    };
    expect(await rejection(create(process(), 'code', refuse))).to.include({ code: 'test.refused' });
    expect(await onDisk()).to.deep.equal([]);
    expect((await ledger()).reservations.size).to.equal(0);
    await create(process());
  });

  it('are found by their command where it comes again and the owner has no room since', async () => {
    const own: CommandContext = { ...context(), repeatable: true };
    const { repositoryId } = await create(process(), 'code', undefined, own);
    await limited(ownerId, 0n);
    expect(await create(process(), 'code', undefined, own)).to.include({ repositoryId });
    expect(await rejection(create(process()))).to.be.instanceOf(QuotaExceeded);
  });

  it('stay where what follows their creation cannot be done', async () => {
    const services = process();
    services.storage.settle = () => Promise.reject(new StreamContended('others write the ledger'));
    expect(await rejection(create(services))).to.be.instanceOf(StreamContended);
    const [repositoryId = 0] = await onDisk();
    expect((await stateOf(repositoryId)).status).to.equal('exists');
    expect((await ledger()).reservations.size).to.equal(1);
    expect(await rejection(create(process()))).to.include({ code: 'repository.name_taken' });
  });

  describe('that begin with labels', () => {
    const labels = (count: number, description = '') =>
      Array.from({ length: count }, (_, index) => ({ name: `label ${index}`, color: '00aabb', description }));
    const labelled = (services: RepositoryProcess, asked: ReturnType<typeof labels>) => {
      const repository = { ownerId, creatorId: ownerId, templateId: 99, name: 'code', isPrivate: false };
      const fill = firstCommit(git, 'main', [{ path: 'README.md', content: '# code\n' }], author);
      const all = { ...repository, settings: defaultSettings, labels: asked };
      return createRepository(services, all, fill, context());
    };
    /** Notes what is appended, and calls `before` with it. */
    const noting = (types: string[], before: (types: readonly string[]) => void = () => undefined) =>
      new InterceptedStore(store, {
        beforeAppend: (_, events) => {
          const appended = events.map(({ type }) => type);
          before(appended);
          types.push(...appended);
        },
      });

    for (const [what, asked] of [
      ['many', labels(1_001)],
      ['some that say much', labels(200, '🐛'.repeat(2_048))],
    ] as const)
      it(`have ${what}`, async () => {
        const { repositoryId } = await labelled(process(), asked);
        const { state } = await process().commands.load(RepositoryLabels, repositoryId);
        const inOrder = state.labels.sortBy((_, labelId) => labelId).toList();
        expect(inOrder.map(({ name }) => name).toArray()).to.deep.equal(asked.map(({ name }) => name));
      });

    it('leave none of them where the owner has no room for what is put in', async () => {
      await limited(ownerId, 1n);
      const types: string[] = [];
      expect(await rejection(labelled(process(noting(types)), labels(2)))).to.be.instanceOf(QuotaExceeded);
      expect(types).not.to.include('LabelCreated');
    });

    it('are abandoned where they cannot be created after all', async () => {
      const types: string[] = [];
      const refusing = noting(types, (appended) => {
        if (appended.includes('RepositoryCreated')) throw invalid('test.refused', 'Name', 'refused');
      });
      await rejection(labelled(process(refusing), labels(2)));
      expect(types.filter((type) => /^Label|^Repository/.test(type))).to.deep.equal([
        'LabelCreated',
        'LabelCreated',
        'RepositoryAbandoned',
      ]);
    });
  });

  describe('that are forks', () => {
    const fork = (baseId: number, name: string, fill: Fill = empty) =>
      createRepository(
        process(),
        { ownerId, creatorId: ownerId, name, isPrivate: false, baseId, settings: defaultSettings },
        fill,
        context(),
      );
    const empty: Fill = async (id) => {
      await git.create(id, { defaultBranch: 'main' });
      return { refs: new Map() };
    };

    it('are one of each for an owner, also after one that came to nothing', async () => {
      const { repositoryId: baseId } = await create(process());
      const refuse: Fill = () => Promise.reject(invalid('test.refused', 'Test', 'no'));
      expect(await rejection(fork(baseId, 'none', refuse))).to.include({ code: 'test.refused' });
      await fork(baseId, 'one');
      expect(await rejection(fork(baseId, 'two'))).to.include({ code: 'fork.exists' });
      expect(await onDisk()).to.have.length(2);
    });

    it('stand on their own where the base is deleted meanwhile', async () => {
      const { repositoryId: baseId } = await create(process());
      const { repositoryId } = await fork(baseId, 'alone', async (id, own) => {
        const command = { type: 'DeleteRepository', data: { ownerId, at } } as const;
        await process().commands.handle(Repository, baseId, command, context());
        return empty(id, own);
      });
      expect((await stateOf(repositoryId)).baseId).to.equal(undefined);
    });

    it('have a default branch that is there, where HEAD of the base does not name one yet', async () => {
      const { repositoryId: baseId } = await create(process());
      const early = Object.assign(Object.create(git) as Git, {
        fork: async (from: number, to: number) => ({ ...(await git.fork(from, to)), defaultBranch: 'later' }),
      });
      const asked = { baseId, ownerId, creatorId: ownerId, name: 'copy', isPrivate: false };
      const { repositoryId } = await forkRepository({ ...process(), git: early }, asked, context());
      expect((await stateOf(repositoryId)).settings.defaultBranch).to.equal('main');
      expect(await git.head(repositoryId)).to.equal('main');
    });

    it('are private where the base becomes so meanwhile, and count as that', async () => {
      const { repositoryId: baseId } = await create(process());
      let isHidden = false;
      const paused = new InterceptedStore(store, {
        beforeAppend: async (_, events) => {
          if (isHidden || !events.some(({ type }) => type === 'RepositoryCreated')) return;
          isHidden = true;
          const command = { type: 'EditRepository', data: { settings: {}, isPrivate: true, at } } as const;
          await process().commands.handle(Repository, baseId, command, context());
        },
      });
      const asked = { baseId, ownerId, creatorId: ownerId, name: 'copy', isPrivate: false };
      const { repositoryId } = await forkRepository(process(paused), asked, context());
      expect((await stateOf(repositoryId)).isPrivate).to.equal(true);
      const { usage } = (await process().commands.load(StorageLedger, ownerId)).state;
      expect(usage['size:repos:private']).to.equal(await git.sizeOf(repositoryId));
    });

    it('are at no time as the base was before, where who follows that is late', async () => {
      const services = process();
      const { repositoryId: baseId } = await create(services);
      const asked = { baseId, ownerId, creatorId: ownerId, name: 'copy', isPrivate: false };
      const { repositoryId: forkId } = await forkRepository(services, asked, context());
      const forksOf = (id: number) => Promise.resolve(id === baseId ? [forkId] : []);
      const show = (isPrivate: boolean, following = forksOf) =>
        editRepository({ ...process(), forksOf: following }, baseId, { settings: {}, isPrivate }, context());
      await show(true);
      await show(false, async (id) => {
        await show(true);
        return forksOf(id);
      });
      const events = await services.log.readStream(`repository-${forkId}`);
      const shown = events.filter(({ type }) => type === 'RepositoryVisibilityChanged');
      expect(shown.map(({ data }) => data)).to.deep.equal([{ ownerId, isPrivate: true, changedAt: at }]);
    });
  });

  it('have a first commit on their default branch, which a push may have made meanwhile', async () => {
    const { repositoryId } = await create(process(), 'code', nothingAt(git, 'main'));
    const push = async () => {
      const staging = await git.stage(repositoryId);
      const tree = await staging.writeTree(undefined, []);
      const pushed = { tree, parents: [], author, committer: author, message: 'pushed' };
      const { hash: after } = await staging.writeCommit(pushed);
      await staging.publish();
      await staging.discard();
      const changes = [{ ref: 'refs/heads/trunk', before: null, after }];
      await updateRefs(process(), { repositoryId, pusherId: ownerId, changes }, context());
    };
    let isPushed = false;
    const overtaken = Object.assign(Object.create(git) as Git, {
      stage: async (id: number) => {
        if (!isPushed) await push();
        isPushed = true;
        return git.stage(id);
      },
    });
    const { branch } = await commit({ ...process(), git: overtaken }, repositoryId, context());
    const { refs, settings } = await stateOf(repositoryId);
    expect([branch, settings.defaultBranch, [...refs.keys()]]).to.deep.equal([
      'trunk',
      'trunk',
      ['refs/heads/trunk'],
    ]);
  });

  it('count at no time as what they were before, where who follows that is late', async () => {
    const { repositoryId } = await create(process());
    const show = (isPrivate: boolean, services = process()) =>
      editRepository(services, repositoryId, { settings: {}, isPrivate }, context());
    const late = process();
    const move = late.storage.move.bind(late.storage);
    late.storage.move = async (...asked) => {
      await show(true);
      return move(...asked);
    };
    await show(true);
    await show(false, late);
    const events = await process().log.readStream(`storageLedger-${ownerId}`);
    const moved = events.flatMap(({ type, data }) => (type === 'UsageMoved' ? [data.to] : []));
    expect(moved).to.deep.equal(['size:repos:private']);
  });

  it('keep their room with a new owner where what follows the transfer cannot be done', async () => {
    const { repositoryId } = await create(process());
    const user = { name: 'ben', email: 'ben@example.org', password: 'long enough' };
    const { accountId: recipientId } = await createUser(process(), user, context());
    const services = process();
    services.storage.settle = () => Promise.reject(new StreamContended('others write the ledger'));
    const transfer = transferRepository(
      services,
      { repositoryId, ownerId, recipientId, teamIds: [] },
      context(),
    );
    expect(await rejection(transfer)).to.be.instanceOf(StreamContended);
    expect((await stateOf(repositoryId)).ownerId).to.equal(recipientId);
    const { reservations } = (await process().commands.load(StorageLedger, recipientId)).state;
    expect(reservations.size).to.equal(1);
  });

  describe('that went to another owner', () => {
    const asked = (repositoryId: number, bytes: bigint) =>
      ({ objectId: String(repositoryId), subject: 'size:repos:public', bytes }) as const;
    const used = async (accountId: number) => {
      const { usage } = (await process().commands.load(StorageLedger, accountId)).state;
      return usage['size:repos:public'];
    };
    let repositoryId: number;
    let recipientId: number;
    beforeEach(async () => {
      ({ repositoryId } = await create(process()));
      const user = { name: 'ben', email: 'ben@example.org', password: 'long enough' };
      recipientId = (await createUser(process(), user, context())).accountId;
    });
    const transfer = (services = process(), own = context()) =>
      transferRepository(services, { repositoryId, ownerId, recipientId, teamIds: [] }, own);

    it('count there alone, whoever reserved with the owner before', async () => {
      const services = process();
      await transfer();
      const reservation = await services.storage.reserve(ownerId, asked(repositoryId, 5n), context());
      const update = { repositoryId, pusherId: ownerId, changes: [], reservation };
      await updateRefs(services, update, context());
      expect(await used(ownerId)).to.equal(0n);
      expect((await ledger()).reservations.size).to.equal(0);
      expect(await used(recipientId)).to.equal(await git.sizeOf(repositoryId));
    });

    it('count there alone once a transfer that was cut off is sent again', async () => {
      const services = process();
      services.storage.settle = () => Promise.reject(new StreamContended('cut off'));
      const own = { ...context(), repeatable: true };
      expect(await rejection(transfer(services, own))).to.be.instanceOf(StreamContended);
      await transfer(process(), own);
      expect([await used(ownerId), await used(recipientId)]).to.deep.equal([
        0n,
        await git.sizeOf(repositoryId),
      ]);
    });

    describe('by a transfer that was cut off before they are counted there', () => {
      beforeEach(async () => {
        const services = process();
        services.storage.settle = () => Promise.reject(new StreamContended('cut off'));
        expect(await rejection(transfer(services))).to.be.instanceOf(StreamContended);
      });

      it('count nowhere once they are deleted', async () => {
        const services = { ...process(), vault: { mirrors: { forget: () => Promise.resolve() } } };
        await deleteRepository(services, { repositoryId, ownerId: recipientId }, context());
        expect([await used(ownerId), await used(recipientId)]).to.deep.equal([0n, 0n]);
      });

      it('count where they went next alone', async () => {
        const user = { name: 'cat', email: 'cat@example.org', password: 'long enough' };
        const { accountId: nextId } = await createUser(process(), user, context());
        const next = { repositoryId, ownerId: recipientId, recipientId: nextId, teamIds: [] };
        await transferRepository(process(), next, context());
        const bytes = await git.sizeOf(repositoryId);
        expect([await used(ownerId), await used(recipientId), await used(nextId)]).to.deep.equal([
          0n,
          0n,
          bytes,
        ]);
      });

      it('count with the owner before alone once they are back', async () => {
        const back = { repositoryId, ownerId: recipientId, recipientId: ownerId, teamIds: [] };
        await transferRepository(process(), back, context());
        expect([await used(ownerId), await used(recipientId)]).to.deep.equal([
          await git.sizeOf(repositoryId),
          0n,
        ]);
      });
    });

    it('count as private where they became so while they were transferred', async () => {
      let isHidden = false;
      const paused = new InterceptedStore(store, {
        beforeAppend: async (_, events) => {
          if (isHidden || !events.some(({ type }) => type === 'RepositoryTransferred')) return;
          isHidden = true;
          await editRepository(process(), repositoryId, { settings: {}, isPrivate: true }, context());
        },
      });
      await transfer(process(paused));
      const { usage } = (await process().commands.load(StorageLedger, recipientId)).state;
      expect(usage['size:repos:public']).to.equal(0n);
      expect(usage['size:repos:private']).to.equal(await git.sizeOf(repositoryId));
    });

    it('are charged there for what moves once they are there, by whoever reserved with the owner before', async () => {
      const services = process();
      const push = async (ref: string, limit: bigint) => {
        const reservation = await services.storage.reserve(ownerId, asked(repositoryId, 500n), context());
        await limited(recipientId, limit);
        const [after = ''] = (await git.refs(repositoryId)).values();
        const changes = [{ ref, before: null, after }];
        return updateRefs(services, { repositoryId, pusherId: ownerId, changes, reservation }, context());
      };
      await transfer();
      const before = await git.sizeOf(repositoryId);
      expect(await rejection(push('refs/heads/no', before + 499n))).to.be.instanceOf(QuotaExceeded);
      await push('refs/heads/yes', before + 500n);
      expect([...(await git.refs(repositoryId)).keys()]).to.deep.equal(['refs/heads/main', 'refs/heads/yes']);
      expect(await used(recipientId)).to.equal(await git.sizeOf(repositoryId));
    });

    it('do not move while their refs do', async () => {
      let moved: Promise<unknown> | undefined;
      const before = await git.sizeOf(repositoryId);
      await locks.run(repositoryId, async () => {
        moved = transfer();
        await git.setHead(repositoryId, 'a-branch-with-a-longer-name');
        await countStorage(process(), repositoryId, context());
        expect((await stateOf(repositoryId)).ownerId).to.equal(ownerId);
      });
      await moved;
      expect(await used(recipientId)).to.equal(await git.sizeOf(repositoryId));
      expect(await used(recipientId)).not.to.equal(before);
    });
  });

  it('count what was published for a ref that may not move any more', async () => {
    const services = process();
    const { repositoryId } = await create(services);
    const { state } = await services.commands.load(Repository, repositoryId);
    const staging = await git.stage(repositoryId);
    const blob = await staging.writeBlob(Buffer.alloc(1000, 'x'));
    const tree = await staging.writeTree(undefined, [{ kind: 'put', path: 'x', mode: '100644', hash: blob }]);
    const { hash } = await staging.writeCommit({
      tree,
      parents: [],
      author,
      committer: author,
      message: 'x',
    });
    const archive = { type: 'EditRepository', data: { settings: {}, isArchived: true, at } } as const;
    await services.commands.handle(Repository, repositoryId, archive, context());
    const change = { ref: 'refs/heads/x', before: null, after: hash };
    const staged = { repositoryId, state, pusherId: ownerId, staging, change };
    const refused = await publishStaged(services, staged, context()).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'repository.archived' });
    const { usage, reservations } = await ledger();
    expect([usage['size:repos:public'], reservations.size]).to.deep.equal([
      await git.sizeOf(repositoryId),
      0,
    ]);
  });

  it('are measured by nobody while somebody else moves their refs', async () => {
    const services = process();
    const { repositoryId } = await create(services);
    let counting: Promise<unknown> | undefined;
    await locks.run(repositoryId, async () => {
      counting = countAlone(services, repositoryId, context());
      await git.setHead(repositoryId, 'a-branch-with-a-longer-name');
      await countStorage(services, repositoryId, context());
      await git.setHead(repositoryId, 'another-branch-with-a-longer-name');
    });
    await counting;
    expect((await ledger()).usage['size:repos:public']).to.equal(await git.sizeOf(repositoryId));
  });

  it('have on disk what the log has, where an append arrives after its request was sent again', async () => {
    const { repositoryId } = await create(process());
    const isMove = (events: readonly EventData[]) => events.some(({ type }) => type === 'RefsUpdated');
    let late: (() => Promise<unknown>) | undefined;
    const slow = new InterceptedStore(store, {
      beforeAppend(stream, events) {
        if (!isMove(events)) return;
        late ??= async () => store.append(stream, (await store.readStream(stream)).length - 1, events);
        throw new EventStoreUnavailable('no answer');
      },
    });
    const stream = `repository-${repositoryId}`;
    const own = { ...context(), repeatable: true };
    expect(await rejection(commit(process(slow), repositoryId, own))).to.be.instanceOf(EventStoreUnavailable);
    const between = new InterceptedStore(store, {
      async beforeAppend(_, events) {
        if (!isMove(events)) return;
        await late?.();
        late = undefined;
      },
    });
    const again = { ...own, at: '2026-01-02T00:00:00Z', attempted: stream };
    const { commit: made } = await commit(process(between), repositoryId, again);
    const main = (await stateOf(repositoryId)).refs.get('refs/heads/main');
    expect([made.hash, (await git.refs(repositoryId)).get('refs/heads/main')]).to.deep.equal([main, main]);
  });

  it('take no commit that waited for one which found the log away', async () => {
    const { repositoryId } = await create(process());
    let asked = 0;
    const away = new InterceptedStore(store, {
      beforeRead() {
        asked += 1;
        throw new EventStoreUnavailable('no answer');
      },
    });
    const services = process(away);
    const commits = [1, 2, 3].map(() => rejection(commit(services, repositoryId, context())));
    for (const error of await Promise.all(commits)) expect(error).to.be.instanceOf(EventStoreUnavailable);
    expect(asked).to.equal(1);
  });

  describe('of which somebody else holds the lock', () => {
    let impatient: RepositoryLocks;
    let repositoryId: number;
    beforeEach(async () => {
      impatient = new RepositoryLocks({ dataDir: data.path, patienceMs: 0 });
      ({ repositoryId } = await create(process()));
      await addBranch(repositoryId, 'topic');
    });
    afterEach(() => {
      impatient.close();
    });

    for (const [what, type, change] of [
      [
        'are not deleted',
        'RepositoryDeleted',
        (services: RepositoryProcess) => {
          const vault = { mirrors: { forget: () => Promise.resolve() } };
          return deleteRepository({ ...services, vault }, { repositoryId, ownerId }, context());
        },
      ],
      [
        'get no other default branch',
        'RepositoryEdited',
        (services: RepositoryProcess) =>
          editRepository(services, repositoryId, { settings: { defaultBranch: 'topic' } }, context()),
      ],
    ] as const)
      it(`${what}, so that nobody takes the note of it away before it is done`, async () => {
        const before = await stateOf(repositoryId);
        await locks.run(repositoryId, async () => {
          const waiting = change({ ...process(), repositoryLocks: impatient });
          expect(await rejection(waiting)).to.include({ code: 'repository.busy' });
        });
        const { status, settings } = await stateOf(repositoryId);
        expect([status, settings]).to.deep.equal(['exists', before.settings]);

        let noted: unknown;
        const dying = new InterceptedStore(store, {
          beforeAppend: async (_, events) => {
            if (!events.some((event) => event.type === type)) return;
            const other = impatient.run(repositoryId, () => Promise.resolve());
            expect(await rejection(other)).to.include({ code: 'repository.busy' });
            noted = await locks.pending.has(repositoryId);
          },
          afterAppend: (_, events) => {
            if (events.some((event) => event.type === type)) throw new EventStoreUnavailable('killed');
          },
        });
        expect(await rejection(change(process(dying)))).to.be.instanceOf(EventStoreUnavailable);
        expect([noted, await locks.pending.has(repositoryId)]).to.deep.equal([true, true]);
        await settleRefs(process(), repositoryId);
        const after = await stateOf(repositoryId);
        const onDisk = (await git.exists(repositoryId)) ? await git.head(repositoryId) : 'deleted';
        expect(onDisk).to.equal(after.status === 'deleted' ? 'deleted' : 'topic');
      });
  });

  it('get all refs of an update that has begun, whatever rules their branches get meanwhile', async () => {
    const { repositoryId } = await create(process());
    const [after = ''] = (await git.refs(repositoryId)).values();
    const changes = Array.from({ length: 2_001 }, (_, index) => ({
      ref: `refs/heads/${index}`,
      before: null,
      after,
    }));
    let rounds = 0;
    const ruled = new InterceptedStore(store, {
      afterAppend: async (_, events) => {
        if (!events.some(({ type }) => type === 'RefsUpdated')) return;
        rounds += 1;
        if (rounds > 1) return;
        const protect = { type: 'AddBranchProtection', data: { ruleName: '*', changes: {}, at } } as const;
        await process().commands.handle(Repository, repositoryId, protect, context());
      },
    });
    const update = { repositoryId, pusherId: ownerId, changes, judgedBy: [] };
    await updateRefs(process(ruled), update, context());
    expect(rounds).to.equal(2);
    expect((await git.refs(repositoryId)).size).to.equal(2_002);
  });

  it('that are gone take no refs, and leave nothing to do', async () => {
    const { repositoryId } = await create(process());
    const [[ref, before] = ['', '']] = await git.refs(repositoryId);
    const services = process();
    const room = { objectId: String(repositoryId), subject: 'size:repos:public', bytes: 5n } as const;
    const reservation = await services.storage.reserve(ownerId, room, context());
    const removed = { type: 'DeleteRepository', data: { ownerId, at } } as const;
    await services.commands.handle(Repository, repositoryId, removed, context());
    await git.remove(repositoryId);
    const update = { repositoryId, pusherId: ownerId, changes: [{ ref, before, after: null }] };
    expect(await rejection(updateRefs(services, update, context()))).to.include({
      code: 'repository.absent',
    });
    expect(await locks.pending.has(repositoryId)).to.equal(false);
    await countStorage(services, repositoryId, context(), reservation);
    const { reservations, usage } = await ledger();
    expect([reservations.size, usage['size:repos:public']]).to.deep.equal([0, 0n]);
  });

  describe('of an account whose deletion', () => {
    const beingDeleted = { kind: 'unavailable', code: 'account.being_deleted' };

    it('has begun are not created', async () => {
      await close();
      expect(await rejection(create(process()))).to.include(beingDeleted);
      expect(await onDisk()).to.deep.equal([]);
    });

    it('begins meanwhile are given up by whoever deletes it', async () => {
      let claimant = 0;
      const paused = new InterceptedStore(store, {
        beforeAppend: async (stream, events) => {
          if (claimant > 0 || !events.some(({ type }) => type === 'RepositoryCreated')) return;
          claimant = Number(stream.replace('repository-', ''));
          await close();
          const own = await ownRepositories(process().commands, ownerId, [claimant], context());
          expect(own).to.deep.equal([]);
        },
      });
      expect(await rejection(create(process(paused)))).to.include(beingDeleted);
      expect((await stateOf(claimant)).status).to.equal('abandoned');
      expect(await onDisk()).to.deep.equal([]);
    });
  });

  describe('that get another name', () => {
    const rename = (services: RepositoryProcess, id: number, name: string) =>
      editRepository(services, id, { settings: {}, name }, context());

    it('free the old one, also for others', async () => {
      const { repositoryId } = await create(process());
      await rename(process(), repositoryId, 'other');
      expect((await stateOf(repositoryId)).name).to.equal('other');
      await create(process());
    });

    it('have it alone, where two want it', async () => {
      const [one, two] = [await create(process(), 'one'), await create(process(), 'two')];
      const outcomes = await Promise.allSettled(
        [one, two].map(({ repositoryId }) => rename(process(), repositoryId, 'wanted')),
      );
      expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    });

    it('keep what they got after a request that comes again', async () => {
      const { repositoryId } = await create(process());
      const services = process();
      const again = { ...context(), repeatable: true };
      const repeat = () => editRepository(services, repositoryId, { settings: {}, name: 'first' }, again);
      await repeat();
      await rename(process(), repositoryId, 'second');
      await repeat();
      expect((await stateOf(repositoryId)).name).to.equal('second');
      expect(await rejection(create(process(), 'second'))).to.include({ code: 'repository.name_taken' });
    });

    it('lose it where they pause for too long', async () => {
      const { repositoryId } = await create(process(), 'one');
      let taken = false;
      const paused = new InterceptedStore(store, {
        beforeAppend: async (_, events) => {
          if (taken || !events.some(({ type }) => type === 'RepositoryRenamed')) return;
          taken = true;
          await create(process(), 'wanted');
        },
      });
      expect(await rejection(rename(process(paused), repositoryId, 'wanted'))).to.include({
        code: 'repository.name_taken',
      });
      expect((await stateOf(repositoryId)).name).to.equal('one');
    });
  });
});
