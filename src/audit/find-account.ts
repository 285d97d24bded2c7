import { Account } from '../domain/accounts/account.js';
import { AccountName } from '../domain/claims/claim.js';
import { accountNameKey } from '../domain/accounts/names.js';
import type { EventLog } from '../event-log/event-log.js';
import { foldAsOf } from '../event-log/fold-as-of.js';
import type { Position } from '../event-store/event-store.js';
import type { Vault } from '../vault/vault.js';

/**
 * Finds the account that held this name, in any letter case, at `position`, or else the one that holds it now and existed
 * then; undefined if there is neither. Needs no read model: the vault determines the stream of the name's claims.
 */
export async function findAccountAsOf(
  log: Pick<EventLog, 'lastPosition' | 'readStream'>,
  vault: Pick<Vault, 'digest'>,
  name: string,
  position: Position,
): Promise<number | undefined> {
  const key = vault.digest('account name', accountNameKey(name));
  for (const moment of [position, await log.lastPosition()]) {
    const { holder } = await foldAsOf(log, AccountName, key, moment);
    if (!holder) continue;
    // Whoever claimed it may never have come to be, or be gone before the name was released.
    const { status } = await foldAsOf(log, Account, holder.claimantId, position);
    if (status === 'exists') return holder.claimantId;
  }
  return undefined;
}
