import { Account } from '../domain/accounts/account.js';
import { streamOf } from '../domain/decider.js';
import { AccountName } from '../domain/reservations/reservation.js';
import { accountNameKey } from '../domain/accounts/names.js';
import type { EventLog } from '../event-log/event-log.js';
import { foldAsOf } from '../event-log/fold-as-of.js';
import type { Position } from '../event-store/event-store.js';
import type { Vault } from '../vault/vault.js';

/**
 * Finds the account that held this name, in any letter case, at `position`, or else the one that holds it now and existed
 * then; undefined if there is neither. Needs no read model: the vault determines the stream of the name's reservation.
 */
export async function findAccountAsOf(
  log: Pick<EventLog, 'lastPosition' | 'readStream'>,
  vault: Pick<Vault, 'digest'>,
  name: string,
  position: Position,
): Promise<number | undefined> {
  const key = vault.digest('account name', accountNameKey(name));
  const holderAt = async (at: Position) => (await foldAsOf(log, AccountName, key, at)).holder;
  const holder = (await holderAt(position)) ?? (await holderAt(await log.lastPosition()));
  if (!holder) return undefined;
  const [created] = await log.readStream(streamOf(Account, holder.claimantId), { max: 1 });
  const isThere = created?.type === 'AccountCreated' && created.position <= position;
  return isThere ? holder.claimantId : undefined;
}
