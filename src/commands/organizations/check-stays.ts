import { Account } from '../../domain/accounts/account.js';
import { notFound } from '../../domain/errors.js';
import { ownCommand, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/**
 * A deletion that has been under way for longer was most likely cut off, in ms; so was one that began as far in the future,
 * by a clock that was set back since.
 */
const CUT_OFF_MS = 60_000;

/**
 * Refuses if the account is deleted, or its deletion is under way. Gives up a deletion that was cut off; should it still
 * be running, it begins again.
 */
export async function checkStays(
  commands: CommandHandler,
  accountId: number,
  context: CommandContext,
): Promise<void> {
  const { status, closingAt } = (await commands.load(Account, accountId)).state;
  if (status === 'exists' && closingAt === undefined) return;
  const { at } = context;
  if (status !== 'exists' || Math.abs(Date.parse(at) - Date.parse(closingAt ?? at)) <= CUT_OFF_MS)
    throw notFound('account.absent', 'the account is being deleted');
  const reopen = { type: 'ReopenAccount', data: { accountId, at } } as const;
  await commands.handle(Account, accountId, reopen, ownCommand(context));
}
