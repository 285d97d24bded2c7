import { Account } from '../../domain/accounts/account.js';
import { ADMINISTRATORS, Administrators } from '../../domain/accounts/administrators.js';
import type { AccountSettings } from '../../domain/accounts/profile.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import type { AccountFlags, Credentials } from '../../vault/credentials.js';
import { ownCommand, systemCommand, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessRefused } from '../unless-refused.js';

/** What settling needs: the log says which edits took effect, and the vault is brought in line with it. */
export interface SettleServices {
  readonly commands: CommandHandler;
  readonly vault: { readonly credentials: Pick<Credentials, 'isAnnounced' | 'settle' | 'forget'> };
}

/** What settling the edits of an account found. */
export interface Settled {
  readonly exists: boolean;
  /** The position of the last event that settling appended; `START` if it appended none. */
  readonly position: Position;
}

/**
 * Finishes edits that were announced to the vault, because the process that announced them may have been cut off: makes the
 * account's credentials, and whether it counts as an administrator who can act, agree with the log. An edit without an
 * event stays announced, because its event may still come. `over` is an edit whose event has come, or never will.
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
  // Repeats until the log still says what was settled last, because it may have changed meanwhile.
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

/**
 * Records whether the account is suspended as an administrator. The last one who can act is not suspended, because the
 * aggregate refuses that.
 */
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

/** Picks the settings that the vault stores as well, because it decides by them whether the account may sign in. */
export const flagsOf = (settings: AccountSettings): AccountFlags => ({
  active: settings.active,
  prohibited: settings.prohibitLogin,
  mustChangePassword: settings.mustChangePassword,
});

/** Tells whether nobody can act as the account, even if only until its password is changed. */
export const isClosed = ({ active, prohibited, mustChangePassword }: AccountFlags): boolean =>
  !active || prohibited || mustChangePassword;
