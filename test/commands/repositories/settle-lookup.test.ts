import { expect } from 'chai';
import { CommandHandler } from '../../../src/commands/handle.js';
import { Storage } from '../../../src/commands/quota/storage.js';
import { repositoryLookups } from '../../../src/commands/repositories/settle-lookup.js';
import { StorageLedger } from '../../../src/domain/quota/storage-ledger.js';
import type { LifecycleCommand } from '../../../src/domain/repositories/lifecycle.js';
import { Repository } from '../../../src/domain/repositories/repository.js';
import { defaultSettings } from '../../../src/domain/repositories/settings.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { TestPeople } from '../../support/people.js';
import { rejection } from '../../support/rejection.js';

const OWNER = 1;
const REPOSITORY = 7;
const at = '2026-01-01T00:00:00Z';

describe('what came of work on a repository that reserved storage', () => {
  let commands: CommandHandler;
  let storage: Storage;
  let disk: Map<number, bigint>;
  let commandsRun: number;

  beforeEach(() => {
    commands = new CommandHandler({
      log: new EventLog({ store: new MemoryEventStore(), people: new TestPeople() }),
    });
    disk = new Map();
    commandsRun = 0;
    const git = {
      exists: (id: number) => Promise.resolve(disk.has(id)),
      sizeOf: (id: number) => Promise.resolve(disk.get(id) ?? 0n),
    };
    storage = new Storage({
      commands,
      limited: true,
      leaseMs: 0,
      lookups: repositoryLookups({ commands, git }),
    });
  });

  const context = () => ({ commandId: `command ${++commandsRun}`, at });
  const handle = (command: LifecycleCommand) => commands.handle(Repository, REPOSITORY, command, context());
  const create = () =>
    handle({
      type: 'CreateRepository',
      data: {
        ownerId: OWNER,
        creatorId: OWNER,
        name: 'one',
        isPrivate: false,
        objectFormat: 'sha1',
        trustModel: 'default',
        settings: defaultSettings,
        refs: { pushId: 'none', updates: [] },
        createdAt: at,
      },
    });
  const reserve = (ownerId = OWNER, previousOwnerId?: number) => {
    const request = {
      ...({ objectId: String(REPOSITORY), subject: 'size:repos:public', bytes: 5n } as const),
      ...(previousOwnerId !== undefined && { previousOwnerId }),
    };
    return storage.reserve(ownerId, request, context());
  };
  const ledger = async (ownerId = OWNER) => (await commands.load(StorageLedger, ownerId)).state;

  it('is what the repository measures, where it exists', async () => {
    await create();
    await reserve();
    disk.set(REPOSITORY, 9n);
    await storage.settleOverdue(OWNER, context());
    const { usage, reservations } = await ledger();
    expect([usage['size:repos:public'], reservations.size]).to.deep.equal([9n, 0]);
  });

  it('is nothing where a creation is not through, and then it never will be', async () => {
    await reserve();
    disk.set(REPOSITORY, 9n);
    await storage.settleOverdue(OWNER, context());
    const { usage, reservations } = await ledger();
    expect([usage['size:repos:public'], reservations.size]).to.deep.equal([0n, 0]);
    expect(await rejection(create())).to.have.property('code', 'repository.abandoned');
  });

  it('is nothing where a transfer is not through, and then it never will be', async () => {
    await create();
    const transfer = {
      ...{ ownerId: OWNER, recipientId: 2, teamIds: [], name: 'one', at },
      claimsLost: (await commands.load(Repository, REPOSITORY)).state.claimsLost,
    };
    await reserve(2, OWNER);
    await storage.settleOverdue(2, context());
    expect((await ledger(2)).reservations.size).to.equal(0);
    const late = commands.handle(Repository, REPOSITORY, { type: 'Transfer', data: transfer }, context());
    expect(await rejection(late)).to.have.property('code', 'repository.name_lost');
  });

  it('is what the repository measures, where a transfer is through', async () => {
    await create();
    disk.set(REPOSITORY, 9n);
    await reserve(2, OWNER);
    const data = { ownerId: OWNER, recipientId: 2, teamIds: [], name: 'one', claimsLost: 0, at };
    await commands.handle(Repository, REPOSITORY, { type: 'Transfer', data }, context());
    await storage.settleOverdue(2, context());
    expect((await ledger(2)).usage['size:repos:public']).to.equal(9n);
  });

  it('is nothing for whoever is not the owner', async () => {
    await create();
    disk.set(REPOSITORY, 9n);
    await reserve(2);
    await storage.settleOverdue(2, context());
    expect((await ledger(2)).usage['size:repos:public']).to.equal(0n);
    expect((await commands.load(Repository, REPOSITORY)).state.status).to.equal('exists');
  });

  it('is nothing once the repository is deleted', async () => {
    await create();
    await reserve();
    await handle({ type: 'DeleteRepository', data: { ownerId: OWNER, at } });
    await storage.settleOverdue(OWNER, context());
    const { usage, reservations } = await ledger();
    expect([usage['size:repos:public'], reservations.size]).to.deep.equal([0n, 0]);
  });
});
