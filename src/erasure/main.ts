/** `npm run erase`: erases the person of an account that was deleted without erasure and has no name to address it by. */
import { idOf, npmScript, print } from '../programs/command-line.js';
import { erasePerson } from '../commands/accounts/erase-person.js';
import { systemCommand } from '../commands/context.js';
import { CommandHandler } from '../commands/handle.js';
import type { Connections } from '../connections.js';
import { Account } from '../domain/accounts/account.js';
import { runProgram, UsageError } from '../programs/program.js';

interface Options {
  readonly id: number;
  readonly dryRun?: true;
}

const program = npmScript('erase')
  .description('Forgets the person of a deleted account, for good.')
  .requiredOption('--id <id>', 'of the account: AccountDeleted in GET /admin/history names it', idOf)
  .option('--dry-run', 'say whose it was and change nothing')
  .addHelpText(
    'after',
    '\nExit status: 0 forgotten, by now or before; 2 nothing was done. Servers may run meanwhile.',
  );

const { id: accountId, dryRun = false } = program.parse().opts<Options>();

await runProgram({ applicationName: 'tallyforge-erase' }, erase);

/** Needs neither read models nor a running server: those follow the event when they run. */
async function erase({ log, vault }: Connections): Promise<number> {
  await vault.start();
  const commands = new CommandHandler({ log });
  const { status, erased, name } = (await commands.load(Account, accountId)).state;
  const who = `account ${accountId}${name === null ? '' : ` (${name})`}`;
  // Checked before anything is shredded. A deletion is final, so the result stays valid.
  if (status === 'exists')
    throw new UsageError(
      `${who} is not deleted`,
      'DELETE /admin/users/{username}?purge=true&erase=true does both',
    );
  if (status !== 'deleted')
    throw new UsageError(
      `there was never an account ${accountId}`,
      'GET /admin/history has the id, in the event AccountDeleted',
    );
  if (dryRun) print(`${who} ${erased ? 'is forgotten already' : 'would be forgotten'}`);
  else {
    await erasePerson({ commands, vault }, accountId, systemCommand());
    print(`${who} is forgotten; copies that servers hold follow in moments, or when they start`);
  }
  return 0;
}
