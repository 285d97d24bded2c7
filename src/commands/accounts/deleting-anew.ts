import { ownCommand, type CommandContext } from '../context.js';
import { whileOvertaken } from '../while-overtaken.js';

/** How often a deletion is tried. */
const ATTEMPTS = 5;

/**
 * Runs the deletion of an account, and runs it anew, in steps of its own, where another deletion of the account, which
 * was refused meanwhile, has opened it again.
 */
export const deletingAnew = <T>(
  context: CommandContext,
  deletion: (steps: CommandContext) => Promise<T>,
): Promise<T> =>
  whileOvertaken(['account.reopened'], ATTEMPTS, (attempt) =>
    deletion(attempt === 1 ? context : ownCommand(context)),
  );
