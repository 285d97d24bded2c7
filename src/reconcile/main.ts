/** `npm run reconcile`: the repositories on disk, and what they take, compared with the log and brought to it. */
import { join } from 'node:path';
import { Command } from 'commander';
import { quota } from '../../projections/quota/quota.js';
import { schemaOf } from '../../projections/projection.js';
import { repositories } from '../../projections/repositories/repositories.js';
import { CommandHandler } from '../commands/handle.js';
import { settleReservations } from '../commands/quota/settle-reservations.js';
import { Storage } from '../commands/quota/storage.js';
import { RepositoryLocks } from '../commands/repositories/repository-locks.js';
import { repositoryLookups } from '../commands/repositories/settle-lookup.js';
import { readConfig } from '../config.js';
import type { Connections } from '../connections.js';
import { openGit } from '../git/open-git.js';
import { runProgram, UsageError } from '../program.js';
import { listRepositoryIds } from '../queries/repositories/repository-ids.js';
import { reconcile } from './reconcile.js';

interface Options {
  readonly dryRun?: true;
  readonly repository?: string;
}

const EXIT = { agrees: 0, differs: 1 } as const;

const program = new Command('npm run reconcile --')
  .description('Compares the repositories on disk with the event log, and brings them to it.')
  .option('--dry-run', 'say what differs and change nothing')
  .option('--repository <id>', 'this one alone')
  .addHelpText(
    'after',
    '\nExit status: 0 disk and log agree, by now; 1 something differs still; 2 no answer. Servers may run meanwhile.',
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

const options = program.parse().opts<Options>();
const searchPath = [schemaOf(repositories), schemaOf(quota)];

await runProgram({ applicationName: 'tallyforge-reconcile', searchPath }, run);

async function run({ log, db, vault }: Connections): Promise<number> {
  await vault.start();
  const { dataDir } = readConfig(process.env);
  const git = await openGit({ folder: join(dataDir, 'repositories') });
  const repositoryLocks = new RepositoryLocks({ dataDir });
  try {
    const commands = new CommandHandler({ log });
    const storage = new Storage({ commands, limited: true, lookups: repositoryLookups({ commands, git }) });
    const services = { commands, git, storage, repositoryLocks };
    const dryRun = options.dryRun ?? false;
    if (!dryRun) await repositoryLocks.sweep();
    let repositoryCount = 0;
    let open = 0;
    let mended = 0;
    for await (const id of ids(git.ids(), await listRepositoryIds(db))) {
      repositoryCount += 1;
      for (const { repositoryId, text, isMended } of await reconcile(services, id, { dryRun })) {
        print(`repository ${repositoryId}: ${text}`);
        if (isMended) mended += 1;
        else open += 1;
      }
    }
    if (!dryRun) await settleReservations({ db, storage });
    print(`${repositoryCount} repositories compared: ${mended} differences mended, ${open} left`);
    return open === 0 ? EXIT.agrees : EXIT.differs;
  } finally {
    repositoryLocks.close();
  }
}

/** Each once: what is on disk, and what should be. */
async function* ids(onDisk: AsyncIterable<number>, inLog: readonly number[]): AsyncGenerator<number> {
  if (options.repository !== undefined) {
    if (!/^[1-9]\d{0,14}$/.test(options.repository)) throw new UsageError('--repository: a number');
    yield Number(options.repository);
    return;
  }
  const missing = new Set(inLog);
  for await (const id of onDisk) {
    missing.delete(id);
    yield id;
  }
  yield* missing;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
