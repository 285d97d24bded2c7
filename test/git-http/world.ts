import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CommitCache } from '../../src/commit-cache/commit-cache.js';
import { Claims } from '../../src/commands/claims.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { Ids } from '../../src/commands/ids.js';
import { Storage } from '../../src/commands/quota/storage.js';
import { createRepository } from '../../src/commands/repositories/create-repository.js';
import { nothingAt } from '../../src/commands/repositories/initial-content.js';
import type { RepositoryServices } from '../../src/commands/repositories/new-repository.js';
import { RepositoryLocks } from '../../src/commands/repositories/repository-locks.js';
import { Repository, type RepositoryState } from '../../src/domain/repositories/repository.js';
import { defaultSettings } from '../../src/domain/repositories/settings.js';
import type { Git } from '../../src/git/git.js';
import { openGit } from '../../src/git/open-git.js';
import { startApi, type TestApi, type TestApiOptions, type TestUser } from '../support/api.js';
import { dataDir } from '../support/data-dir.js';
import { gitClient, type GitClient } from './client.js';

export interface TestRepository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
}

/** An api with git, a git client, and people who push and pull. */
export interface GitWorld {
  readonly api: TestApi;
  readonly client: GitClient;
  /** The repositories on disk, beside the api. */
  readonly disk: Git;
  readonly dataDir: string;
  readonly owner: TestUser;
  readonly reader: TestUser;
  /** An empty repository, of `owner` unless said otherwise. */
  create(
    name: string,
    options?: { readonly isPrivate?: boolean; readonly by?: TestUser },
  ): Promise<TestRepository>;
  /** The address of a repository, with credentials: a user name (and the tests' password), or `name:password`. */
  url(repository: Pick<TestRepository, 'owner' | 'name'>, credentials?: string): string;
  /** What the log says of a repository. */
  logged(repository: TestRepository): Promise<RepositoryState>;
  stop(): Promise<void>;
}

/** By name, as plain objects. */
export const sorted = (refs: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...refs].sort(([one], [other]) => (one < other ? -1 : 1)));

export interface GitWorldOptions extends TestApiOptions {
  /** Where the folder with the repositories is made; that of temporary files unless said otherwise. */
  readonly dataBelow?: string;
}

export async function gitWorld({ dataBelow, ...options }: GitWorldOptions = {}): Promise<GitWorld> {
  const data = await dataDir(dataBelow);
  const client = await gitClient();
  const api = await startApi({ ...options, config: { ...options.config, dataDir: data.path } });
  const owner = await api.createUser('owner');
  const reader = await api.createUser('reader');
  const disk = await openGit({ folder: join(data.path, 'repositories') });
  const { log, db } = api.connections;
  const commands = new CommandHandler({ log });
  const repositoryLocks = new RepositoryLocks({ dataDir: data.path });
  const services: RepositoryServices = {
    log,
    commands,
    claims: new Claims({ commands }),
    ids: new Ids({ commands }),
    storage: new Storage({ commands, limited: false }),
    git: disk,
    repositoryLocks,
    commitCache: new CommitCache(db),
  };
  return {
    api,
    client,
    disk,
    dataDir: data.path,
    owner,
    reader,
    async create(name, { isPrivate = false, by = owner } = {}) {
      const settings = { ...defaultSettings, defaultBranch: 'main' };
      const { repositoryId } = await createRepository(
        services,
        { ownerId: by.id, creatorId: by.id, name, isPrivate, settings },
        nothingAt(disk, 'main'),
        { commandId: randomUUID(), at: new Date().toISOString() },
      );
      await api.shown();
      return { id: repositoryId, name, owner: by.username };
    },
    url({ owner, name }, credentials) {
      const url = new URL(`${api.url()}/${owner}/${name}.git`);
      if (credentials === undefined) return url.href;
      const [username = '', password = 'correct horse'] = credentials.split(':');
      url.username = username;
      url.password = encodeURIComponent(password);
      return url.href;
    },
    // Anew each time: nothing that an api holds in memory counts.
    logged: async ({ id }) =>
      (await new CommandHandler({ log: api.connections.log }).load(Repository, id)).state,
    async stop() {
      await api.stop();
      repositoryLocks.close();
      await client.remove();
      await data.remove();
    },
  };
}
