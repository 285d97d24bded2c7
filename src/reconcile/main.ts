/** `npm run reconcile`: compares the repositories on disk and their sizes with the log, and brings them to its state. */
import { Option } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckpoint } from '../../projections/engine/checkpoint.js';
import { quota } from '../../projections/quota/quota.js';
import { schemaOf } from '../../projections/projection.js';
import { repositories } from '../../projections/repositories/repositories.js';
import { idOf, npmScript, print } from '../programs/command-line.js';
import { CommandHandler } from '../commands/handle.js';
import { settleReservations } from '../commands/quota/settle-reservations.js';
import { Storage } from '../commands/quota/storage.js';
import { collectGarbage } from '../commands/repositories/collect-garbage.js';
import { RepositoryLocks } from '../commands/repositories/repository-locks.js';
import { repositoryLookups } from '../commands/repositories/settle-lookup.js';
import type { ServiceConfig } from '../config.js';
import type { Connections } from '../connections.js';
import type { Queryable } from '../database/queryable.js';
import type { Git } from '../git/git.js';
import { confirmPosition } from '../event-store/confirm-position.js';
import { openGit } from '../git/open-git.js';
import { GitError } from '../git/port/errors.js';
import { runProgram, UsageError } from '../programs/program.js';
import { repositoryExists, repositoryIds } from '../queries/repositories/repository-ids.js';
import { reconcile } from './reconcile.js';

interface Options {
  readonly dryRun?: true;
  readonly repository?: number;
  readonly gc?: true;
}

const EXIT = { agrees: 0, differs: 1 } as const;

const program = npmScript('reconcile')
  .description('Compares the repositories on disk with the event log, and brings them to it.')
  .option('--dry-run', 'say what differs and change nothing')
  .option('--repository <id>', 'this one alone', idOf)
  .addOption(
    new Option('--gc', 'pack them anew, and drop what nothing has reached for two weeks').conflicts('dryRun'),
  )
  .addHelpText(
    'after',
    '\nExit status: 0 disk and log agree, by now; 1 something differs still; 2 no answer. Servers may run meanwhile.',
  );

const options = program.parse().opts<Options>();
const searchPath = [schemaOf(repositories), schemaOf(quota)];

await runProgram({ applicationName: 'tallyforge-reconcile', searchPath }, run);

async function run(
  { store, log, db, vault }: Connections,
  { dataDir, quota: limits }: ServiceConfig,
): Promise<number> {
  await vault.start();
  // With the wrong log, none of the repositories here would be known, and all of them would be removed.
  const shown = await readCheckpoint(db, schemaOf(repositories));
  if (shown) await confirmPosition(store, shown.position, { maxBatch: 1 });
  const git = await openGit({ folder: join(dataDir, 'repositories') });
  const repositoryLocks = new RepositoryLocks({ dataDir });
  try {
    const commands = new CommandHandler({ log });
    const storage = new Storage({
      commands,
      limited: limits.enabled,
      lookups: repositoryLookups({ commands, git }),
    });
    const services = { commands, git, storage, repositoryLocks };
    const dryRun = options.dryRun ?? false;
    if (!dryRun) await repositoryLocks.sweep();
    let repositoryCount = 0;
    let open = 0;
    let mended = 0;
    for await (const id of ids(git, db)) {
      repositoryCount += 1;
      for (const { repositoryId, text, isMended } of await reconcile(services, id, { dryRun })) {
        print(`repository ${repositoryId}: ${text}`);
        if (isMended) mended += 1;
        else open += 1;
      }
      if (!options.gc) continue;
      try {
        // After reconciling, because only then may refs reach objects that git would drop; and git fails on a broken ref.
        const collected = await collectGarbage(services, id);
        if (collected)
          print(`repository ${id}: packed anew, ${collected.before} bytes became ${collected.after}`);
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        print(`repository ${id}: cannot be packed anew: ${error.message}`);
        open += 1;
      }
    }
    if (!dryRun) await settleReservations({ db, storage });
    print(`${repositoryCount} repositories compared: ${mended} differences mended, ${open} left`);
    return open === 0 ? EXIT.agrees : EXIT.differs;
  } finally {
    repositoryLocks.close();
  }
}

/** Yields each repository once: those on disk, and those that should be there. */
async function* ids(git: Git, db: Queryable): AsyncGenerator<number> {
  const { repository: only } = options;
  if (only !== undefined) {
    if (!(await repositoryExists(db, only)) && !existsSync(git.pathOf(only)))
      throw new UsageError(`there is no repository ${only}`, 'GET /repos/{owner}/{repo} tells the id of one');
    yield only;
    return;
  }
  yield* git.ids();
  for await (const id of repositoryIds(db)) if (!existsSync(git.pathOf(id))) yield id;
}
