/** `npm run password`: sets a forgotten password, for which the only administrator has nobody else to ask. */
import { createInterface } from 'node:readline/promises';
import { npmScript, print } from '../programs/command-line.js';
import { nameClaim } from '../commands/accounts/account-claims.js';
import { editAccount } from '../commands/accounts/edit-account.js';
import { madeUpPassword } from '../commands/accounts/made-up-password.js';
import { holderOf } from '../commands/claimable.js';
import { Claims } from '../commands/claims.js';
import { systemCommand } from '../commands/context.js';
import { CommandHandler } from '../commands/handle.js';
import type { ServiceConfig } from '../config.js';
import type { Connections } from '../connections.js';
import { Account } from '../domain/accounts/account.js';
import { inWords, runProgram, UsageError } from '../programs/program.js';

interface Options {
  readonly user: string;
  readonly stdin?: true;
}

const program = npmScript('password')
  .description('Gives a user another password.')
  .requiredOption('--user <name>', 'whose')
  .option('--stdin', 'the password is the first line of standard input; else one is made up and printed')
  .addHelpText('after', '\nExit status: 0 it counts now; 2 nothing was done. Servers may run meanwhile.');

const { user, stdin = false } = program.parse().opts<Options>();

await runProgram({ applicationName: 'tallyforge-password' }, setPassword);

/** Uses the log and the vault only: needs neither read models nor a running server. */
async function setPassword({ log, vault }: Connections, config: ServiceConfig): Promise<number> {
  await vault.start();
  const commands = new CommandHandler({ log });
  const accountId = await userOf(commands, vault, user);
  const password = stdin ? await firstLine() : madeUpPassword(config.passwordRules);
  const services = { config, commands, claims: new Claims({ commands }), vault };
  const edit = { password, settings: { mustChangePassword: false } };
  await editAccount(services, accountId, edit, systemCommand()).catch(inWords);
  print(
    stdin ? `${user} has the new password` : `${user} has the password ${password} (shown only this once)`,
  );
  return 0;
}

async function userOf(commands: CommandHandler, vault: Connections['vault'], name: string): Promise<number> {
  const accountId = await holderOf(commands, nameClaim(vault, name));
  if (accountId !== undefined) {
    const { kind } = (await commands.load(Account, accountId)).state;
    if (kind === 'user') return accountId;
  }
  throw new UsageError(`there is no user ${name}`, 'give the name that they sign in with');
}

async function firstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}
