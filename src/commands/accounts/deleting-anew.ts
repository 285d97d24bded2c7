import { DomainError } from '../../domain/errors.js';
import { ownCommand, type CommandContext } from '../context.js';

/** How often a deletion is tried. */
const ATTEMPTS = 5;

/**
 * Runs the deletion of an account, and runs it anew, in steps of its own, where another deletion of the account, which
 * was refused meanwhile, has opened it again.
 */
export async function deletingAnew<T>(
  context: CommandContext,
  deletion: (steps: CommandContext) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await deletion(attempt === 1 ? context : ownCommand(context));
    } catch (error) {
      const reopened = error instanceof DomainError && error.code === 'account.reopened';
      if (!reopened || attempt === ATTEMPTS) throw error;
    }
  }
}
