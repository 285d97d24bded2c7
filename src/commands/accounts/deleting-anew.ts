import { Account, REOPENED } from '../../domain/accounts/account.js';
import type { AccountEvent } from '../../domain/accounts/account-messages.js';
import { ownCommand, type CommandContext } from '../context.js';
import type { CommandHandler, Handled } from '../handle.js';
import { whileOvertaken } from '../while-overtaken.js';
import { whileDeleting } from './while-deleting.js';

/** How often a deletion is tried. */
const ATTEMPTS = 5;

/**
 * Runs the deletion of an account. Runs it again, with step ids of its own, if another deletion of the same account was
 * refused meanwhile and opened the account again.
 */
export const deletingAnew = <T>(
  context: CommandContext,
  deletion: (steps: CommandContext) => Promise<T>,
): Promise<T> =>
  whileOvertaken([REOPENED], ATTEMPTS, (attempt) => deletion(attempt === 1 ? context : ownCommand(context)));

/**
 * Closes an account that is to be deleted. If another deletion has closed it, waits for the end of that first, because a
 * refusal would open the account to others while this one takes from it what it has. Completes a deletion that does not end.
 */
export function closeToDelete(
  commands: CommandHandler,
  accountId: number,
  context: CommandContext,
): Promise<Handled<AccountEvent>> {
  const command = { type: 'CloseAccount', data: { accountId, at: context.at } } as const;
  return whileDeleting(
    () => commands.handle(Account, accountId, command, context),
    (closing) => closing.events.length > 0,
  );
}
