import { Account, type AccountState } from '../../domain/accounts/account.js';
import { notFound } from '../../domain/errors.js';
import type { CommandHandler } from '../handle.js';

/** Loads an account from its stream. Refuses if it does not exist. */
export async function existing(
  { commands }: { readonly commands: CommandHandler },
  accountId: number,
): Promise<AccountState> {
  const { state } = await commands.load(Account, accountId);
  if (state.status !== 'exists') throw notFound('account.absent', 'the account does not exist');
  return state;
}
