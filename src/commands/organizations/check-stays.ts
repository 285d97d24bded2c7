import { Account } from '../../domain/accounts/account.js';
import { notFound } from '../../domain/errors.js';
import { ownCommand, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/** A deletion that takes longer was most likely cut off; so was one as far ahead, by a clock that has been set since. */
const CUT_OFF_MS = 60_000;

/**
 * Refuses where the account's deletion is under way, or done. One that was cut off is given up; should it still be at work, it
 * begins anew.
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
