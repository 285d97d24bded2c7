/**
 * `npm run backup -- <folder>`: backs up all data that cannot be derived, as of one position, with or without a running
 * server.
 */
import { join } from 'node:path';
import { npmScript, print } from '../programs/command-line.js';
import type { ServiceConfig } from '../config.js';
import type { Connections } from '../connections.js';
import { openGit } from '../git/open-git.js';
import { runProgram, UsageError } from '../programs/program.js';
import { releaseVersion } from '../start/release-version.js';
import { backUp } from './back-up.js';
import { makeWhole } from './whole-folder.js';

const EXIT = { whole: 0, incomplete: 1 } as const;

const program = npmScript('backup')
  .description(
    'Copies the log, the vault, deliveries and the repositories, as of one position, to a new folder.',
  )
  .argument('<folder>', 'is made; must not be there, or be empty')
  .option('--without-keys', "leave the vault's key out: restoring then takes it as VAULT_KEY")
  .addHelpText(
    'after',
    '\nExit status: 0 done; 1 done but for repositories that git cannot read; 2 not done. Servers may run meanwhile.',
  )
  .parse();

const [folder = ''] = program.args;
const { withoutKeys = false } = program.opts<{ readonly withoutKeys?: true }>();

await runProgram({ applicationName: 'tallyforge-backup' }, run);

async function run(connections: Connections, config: ServiceConfig): Promise<number> {
  if (config.eventStoreUrl !== undefined)
    throw new UsageError(
      'EVENTSTORE_URL is set, so the log is in EventStoreDB',
      'back that up with its own tools; see docs/operations.md',
    );
  const { position, repositories, unreadable } = await makeWhole(folder, async (unfinished) =>
    backUp(unfinished, {
      connections,
      git: await openGit({ folder: join(config.dataDir, 'repositories') }),
      version: releaseVersion(),
      vaultKey: config.vaultKey,
      withKeys: !withoutKeys,
      say: print,
    }),
  );
  for (const { id, error } of unreadable) print(`repository ${id} is NOT in it: ${error}`);
  print(`${folder}: whole, as of position ${position}, with ${repositories} repositories`);
  print(
    withoutKeys
      ? "It does NOT hold the vault's key: keep DATA_DIR/vault.key (or VAULT_KEY), or nothing personal and no secret can be read again."
      : 'keys/vault.key opens every secret in it: keep that file apart from the rest.',
  );
  return unreadable.length === 0 ? EXIT.whole : EXIT.incomplete;
}
