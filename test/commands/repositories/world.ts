import { CommitCache } from '../../../src/commit-cache/commit-cache.js';
import type { AccountServices } from '../../../src/commands/accounts/create-account.js';
import { Storage } from '../../../src/commands/quota/storage.js';
import type { RepositoryServices } from '../../../src/commands/repositories/new-repository.js';
import type { EditServices } from '../../../src/commands/repositories/edit-repository.js';
import { repositoryLookups } from '../../../src/commands/repositories/settle-lookup.js';
import { RepositoryLocks } from '../../../src/commands/repositories/repository-locks.js';
import { EventStoreUnavailable, type EventStore } from '../../../src/event-store/event-store.js';
import type { Git } from '../../../src/git/git.js';
import { accountProcess } from '../../support/account-process.js';
import { InterceptedStore } from '../../support/intercepted-store.js';
import type { TestPeople } from '../../support/people.js';

export type RepositoryProcess = RepositoryServices & AccountServices & Pick<EditServices, 'forksOf'>;

export interface RepositoryProcessOptions {
  readonly store: EventStore;
  readonly people: TestPeople;
  readonly git: Git;
  readonly locks: RepositoryLocks;
  readonly patienceMs?: number;
  /** How long a reservation keeps others off what its maker claimed. */
  readonly leaseMs?: number;
}

/** What one process needs to create repositories, on a store and a disk that it shares with others; it finds no forks. */
export function repositoryProcess({
  git,
  locks,
  leaseMs,
  ...options
}: RepositoryProcessOptions): RepositoryProcess {
  const accounts = accountProcess(options);
  const { commands } = accounts;
  return {
    ...accounts,
    git,
    repositoryLocks: locks,
    storage: new Storage({
      commands,
      limited: true,
      lookups: repositoryLookups({ commands, git }),
      ...(leaseMs !== undefined && { leaseMs }),
    }),
    commitCache: new CommitCache({ rows: () => Promise.resolve([]) }),
    forksOf: () => Promise.resolve([]),
  };
}

/** A store whose user dies around its n-th append: after that no call of its comes through. */
export function killedAt(store: EventStore, append: number, when: 'before' | 'after'): EventStore {
  let appends = 0;
  let dead = false;
  const die = () => {
    dead = true;
    throw new EventStoreUnavailable('killed');
  };
  const live = () => {
    if (dead) die();
  };
  return new InterceptedStore(store, {
    beforeRead: live,
    beforeAppend: () => {
      live();
      appends += 1;
      if (appends === append && when === 'before') die();
    },
    afterAppend: () => {
      if (appends === append && when === 'after') die();
    },
  });
}
