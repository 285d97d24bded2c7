import { Account } from '../../domain/accounts/account.js';
import { notFound } from '../../domain/errors.js';
import type { CommandHandler } from '../handle.js';

/** Refuses where the account's deletion has begun, or is done. */
export async function checkStays(commands: CommandHandler, accountId: number): Promise<void> {
  const { status, closing } = (await commands.load(Account, accountId)).state;
  if (status !== 'exists' || closing) throw notFound('account.absent', 'the account is being deleted');
}
