import { REOPENED } from '../../domain/accounts/account.js';
import { ownCommand, type CommandContext } from '../context.js';
import { whileOvertaken } from '../while-overtaken.js';

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
