import { ADMINISTRATORS, Administrators } from '../../domain/accounts/administrators.js';
import { IdBlock } from '../../domain/ids/id-block.js';
import type { Vault } from '../../vault/vault.js';
import type { CommandContext } from '../context.js';
import { createUser, type AccountServices } from './create-account.js';
import { madeUpPassword } from './made-up-password.js';

/** The site administrator that the configuration names, for an instance that never had one. */
export interface FirstAdministrator {
  readonly username: string;
  readonly email: string;
  /** Generated if absent. */
  readonly password?: string | undefined;
}

/** The log has administrators, but the vault no accounts: it is not the vault of this log. */
export class VaultMissing extends Error {
  override readonly name = 'VaultMissing';
  constructor() {
    super(
      'the database (DATABASE_URL or, if that is not set, DATA_DIR) does not hold the vault of the accounts in the event log of EVENTSTORE_URL: name the one that does, or restore its back-up there',
    );
  }
}

/** The vault has accounts, but the log is empty: it is not the log of this vault. */
export class LogMissing extends Error {
  override readonly name = 'LogMissing';
  constructor() {
    super(
      'the event log of EVENTSTORE_URL lacks the accounts of the database (DATABASE_URL or, if that is not set, DATA_DIR): name the log that has them, or restore its back-up there',
    );
  }
}

const COMMAND_ID = 'first-administrator';

/**
 * Ensures that the instance has a site administrator: creates and appoints one if nobody was ever appointed. However
 * often it crashes and however many processes run it, there is exactly one in the end. Returns the password if it has
 * generated one, only this once; otherwise undefined. The vault must be started. Rejects with `VaultMissing` or
 * `LogMissing`.
 */
export async function ensureFirstAdministrator(
  services: AccountServices & { readonly vault: Vault },
  { username, email, password }: FirstAdministrator,
): Promise<{ readonly username: string; readonly password: string } | undefined> {
  const { commands, vault } = services;
  return vault.withKeyLock(COMMAND_ID, async () => {
    const { revision } = await commands.load(Administrators, ADMINISTRATORS);
    if (revision !== 'noStream') {
      if (await vault.credentials.isEmpty()) throw new VaultMissing();
      return undefined;
    }
    // Creating an account takes an id from the log first, and writes to the vault after that.
    const { revision: ids } = await commands.load(IdBlock, 'account');
    if (ids === 'noStream' && !(await vault.credentials.isEmpty())) throw new LogMissing();

    const at = new Date().toISOString();
    const context: CommandContext = { commandId: COMMAND_ID, at, repeatable: true };
    const secret = password ?? madeUpPassword(services.config.passwordRules);
    const { accountId } = await createUser(services, { name: username, email, password: secret }, context);
    // An earlier attempt may have created the account with a password that was never shown.
    await vault.credentials.set(accountId, secret, {
      active: true,
      prohibited: false,
      mustChangePassword: false,
    });
    const appoint = { type: 'AppointAdministrator', data: { accountId, at } } as const;
    await commands.handle(Administrators, ADMINISTRATORS, appoint, context);
    return password === undefined ? { username, password: secret } : undefined;
  });
}
