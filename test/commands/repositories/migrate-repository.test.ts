import { expect } from 'chai';
import { join } from 'node:path';
import { createUser } from '../../../src/commands/accounts/create-account.js';
import { firstCommit } from '../../../src/commands/repositories/initial-content.js';
import {
  migrateRepository,
  type MigrationServices,
} from '../../../src/commands/repositories/migrate-repository.js';
import { RepositoryLocks } from '../../../src/commands/repositories/repository-locks.js';
import { Repository } from '../../../src/domain/repositories/repository.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { openGit } from '../../../src/git/open-git.js';
import { dataDir } from '../../support/data-dir.js';
import { TestPeople } from '../../support/people.js';
import { killedAt, repositoryProcess } from './world.js';

const at = '2026-01-01T00:00:00Z';

describe('what a mirror signs in with', () => {
  it('is there for each mirror that came to be, wherever its making was cut off', async () => {
    const data = await dataDir();
    const git = await openGit({ folder: join(data.path, 'repositories') });
    const locks = new RepositoryLocks({ dataDir: data.path });
    const store = new MemoryEventStore();
    const shared = { people: new TestPeople(), git, locks, patienceMs: 20 };
    const alive = repositoryProcess({ store, ...shared });
    const user = { name: 'ann', email: 'ann@example.org', password: 'long enough' };
    const { accountId: ownerId } = await createUser(alive, user, { commandId: 'user', at });
    const kept = new Set<number>();
    const mirrors = {
      keep: (id: number) => Promise.resolve(void kept.add(id)),
      forget: (id: number) => Promise.resolve(void kept.delete(id)),
    };
    const content = firstCommit(git, 'main', [], { name: 'Ann', email: 'ann@example.org', at });
    let ids: number[] = [];
    const remotes = {
      clone: (_: unknown, id: number) => {
        ids.push(id);
        return content(id, { commandId: `content ${id}`, at });
      },
    };

    for (let append = 1, made = false; !made; append++) {
      const dying = repositoryProcess({ store: killedAt(store, append, 'after'), ...shared });
      const services = { ...dying, remotes, vault: { mirrors } } as unknown as MigrationServices;
      const mirror = { interval: '8h0m0s', prune: true } as never;
      const remote = { url: 'https://example.org/a', credentials: { username: 'me', password: 's3cret' } };
      const facts = { ownerId, creatorId: ownerId, description: '', isPrivate: false, remote, mirror };
      ids = [];
      made = await migrateRepository(
        services,
        { ...facts, name: `after-${append}` },
        { commandId: `${append}`, at },
      ).then(
        () => true,
        () => false,
      );
      for (const id of ids) {
        const { status } = (await alive.commands.load(Repository, id)).state;
        if (status === 'exists') expect(kept, `after ${append} appends`).to.include(id);
      }
    }
    locks.close();
    await data.remove();
  });
});
