import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandHandler } from '../../commands/handle.js';
import { Storage } from '../../commands/quota/storage.js';
import { RepositoryLocks } from '../../commands/repositories/repository-locks.js';
import { repositoryLookups } from '../../commands/repositories/settle-lookup.js';
import type { Config } from '../../config.js';
import type { Connections } from '../../connections.js';
import { Repository } from '../../domain/repositories/repository.js';
import { eachOf } from '../../concurrency/each-of.js';
import type { Git } from '../../git/git.js';
import { openGit } from '../../git/open-git.js';
import { GitError } from '../../git/port/errors.js';
import { lacksRoom } from '../../failures/no-room.js';
import { reconcile } from '../../reconcile/reconcile.js';
import { packName } from '../packs.js';
import { repositoriesInLog } from '../repository-streams.js';

/** How many repositories were restored, and a line for each remaining problem. */
export interface PutRepositories {
  readonly repositories: number;
  /** What could not be brought to the state in the log. */
  readonly open: readonly string[];
}

const CONCURRENCY = 2;

/**
 * Restores every repository in the log with the objects of the back-up, and brings its refs and its owner's storage ledger
 * to the state in the log.
 */
export async function putRepositories(
  { log, db }: Connections,
  { dataDir, quota }: Pick<Config, 'dataDir' | 'quota'>,
  folder: string,
  say: (line: string) => void,
): Promise<PutRepositories> {
  const git = await openGit({ folder: join(dataDir, 'repositories') });
  const repositoryLocks = new RepositoryLocks({ dataDir });
  const commands = new CommandHandler({ log });
  // No limit is enforced here, but the recorded events note which thresholds of limits are reached.
  const storage = new Storage({
    commands,
    limited: quota.enabled,
    lookups: repositoryLookups({ commands, git }),
  });
  const services = { commands, git, storage, repositoryLocks };
  const open: string[] = [];
  let repositories = 0;
  try {
    for await (const ids of repositoriesInLog(db)) {
      await eachOf(ids, CONCURRENCY, async (id) => {
        const { state } = await commands.load(Repository, id);
        if (state.status !== 'exists') return;
        await git.create(id, { defaultBranch: state.settings.defaultBranch });
        await putObjects(git, id, folder).catch((error: unknown) => {
          if (!(error instanceof GitError) || lacksRoom(error)) throw error;
          open.push(`repository ${id}: ${error.message}`);
        });
        for (const { text, isMended } of await reconcile(services, id, { dryRun: false }))
          if (!isMended) open.push(`repository ${id}: ${text}`);
        repositories++;
      });
      say(`repositories: ${repositories} so far`);
    }
  } finally {
    repositoryLocks.close();
  }
  return { repositories, open };
}

async function putObjects(git: Git, id: number, folder: string): Promise<void> {
  for (let nth = 0; ; nth++) {
    const pack = join(folder, packName(id, nth));
    if (!existsSync(pack)) return;
    const running = await git.start(id, ['index-pack', '--stdin']);
    running.stdout.resume();
    await pipeline(createReadStream(pack), running.stdin).catch(() => undefined); // its exit code will show the failure
    const { code, stderr } = await running.ended;
    if (code !== 0) throw new GitError(`git cannot take ${pack}: ${stderr.trim()}`);
  }
}
