import { Account } from '../../domain/accounts/account.js';
import type { Position } from '../../event-store/event-store.js';
import type { Vault } from '../../vault/vault.js';
import type { CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/** What forgetting a person takes: the vault, where the key is shredded, and the log, which tells the read models. */
export interface ErasureServices {
  readonly commands: CommandHandler;
  readonly vault: Pick<Vault, 'credentials' | 'tokens' | 'people'>;
}

/**
 * Forgets the person of a deleted account: its key is shredded, so that what is personal in the log and in every copy of
 * it reads as erased, and then the log tells read models to blank what they hold. Done again it changes nothing. What else
 * holds copies follows the event: see `Leftovers`.
 */
export async function erasePerson(
  { commands, vault }: ErasureServices,
  accountId: number,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  await vault.credentials.remove(accountId);
  await vault.tokens.removeAll(accountId);
  await vault.people.shred(accountId);
  return commands.handle(
    Account,
    accountId,
    { type: 'ErasePerson', data: { accountId, at: context.at } },
    context,
  );
}
