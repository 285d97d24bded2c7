import { Account } from '../../domain/accounts/account.js';
import { ADMINISTRATORS, Administrators } from '../../domain/accounts/administrators.js';
import type { AccountSettings } from '../../domain/accounts/profile.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import type { AccountFlags, Credentials } from '../../vault/credentials.js';
import { ownCommand, systemCommand, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessRefused } from '../unless-refused.js';

/** What settling takes: the log tells what counts, the vault is made to follow it. */
export interface SettleServices {
  readonly commands: CommandHandler;
  readonly vault: { readonly credentials: Pick<Credentials, 'isAnnounced' | 'settle' | 'forget'> };
}

/** What became of an account whose edits were to be settled. */
export interface Settled {
  readonly exists: boolean;
  /** Of what was written. */
  readonly position: Position;
}

/**
 * Where an edit of the account was announced, makes its credentials, and whether it counts among the administrators who can
 * act, as the log has it now: whoever announced the edit may have been cut off. An edit whose event is not there stays
 * announced, since it may be about to come. `over`: one that will not come any more, or has.
 */
export async function settleEdits(
  { commands, vault: { credentials } }: SettleServices,
  accountId: number,
  context = systemCommand(),
  over?: string,
): Promise<Settled> {
  let position = START;
  let settled: string | undefined;
  if (!(await credentials.isAnnounced(accountId))) return { exists: true, position };
  // Whatever was written meanwhile, the log is as it was when what it says was written last.
  for (;;) {
    const { status, settings, announcedEdits: edits } = (await commands.load(Account, accountId)).state;
    if (status !== 'exists') return { exists: false, position };
    const recorded = { edits, ...flagsOf(settings) };
    const now = JSON.stringify(recorded);
    if (now === settled) {
      await credentials.forget(accountId, recorded, over);
      return { exists: true, position };
    }
    await credentials.settle(accountId, recorded, over);
    settled = now;
    position = later(position, await suspend(commands, accountId, isClosed(recorded), ownCommand(context)));
  }
}

/** The last who counts goes on counting: it is closed already, and nobody else could let it in. */
async function suspend(
  commands: CommandHandler,
  accountId: number,
  suspended: boolean,
  context: CommandContext,
): Promise<Position> {
  const command = { type: 'SuspendAdministrator', data: { accountId, suspended, at: context.at } } as const;
  const handled = await unlessRefused(commands.handle(Administrators, ADMINISTRATORS, command, context));
  return handled && handled.events.length > 0 ? handled.position : START;
}

/** The settings of an account that the vault keeps too: by them it lets people in or not. */
export const flagsOf = (settings: AccountSettings): AccountFlags => ({
  active: settings.active,
  prohibited: settings.prohibitLogin,
  mustChangePassword: settings.mustChangePassword,
});

/** Whether nobody can act as this account, be it only until the password is changed. */
export const isClosed = ({ active, prohibited, mustChangePassword }: AccountFlags): boolean =>
  !active || prohibited || mustChangePassword;
