import { Account } from '../../domain/accounts/account.js';
import type { Position } from '../../event-store/event-store.js';
import type { Vault } from '../../vault/vault.js';
import type { CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/** What erasing a person needs: the vault, where the key is shredded, and the log, which tells the read models. */
export interface ErasureServices {
  readonly commands: CommandHandler;
  readonly vault: Pick<Vault, 'credentials' | 'tokens' | 'people'>;
}

/**
 * Erases the person of a deleted account: shreds the person's key, so that personal fields in the log and in every copy
 * of it read as erased, and then appends the event at which read models blank their rows. Idempotent. Other copies are
 * removed after that event: see `Leftovers`.
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
