import { Account } from '../../domain/accounts/account.js';
import { accountNameKey, checkAccountName } from '../../domain/accounts/names.js';
import type { Position } from '../../event-store/event-store.js';
import { claiming, orGiveUp } from '../claiming.js';
import type { CommandContext } from '../context.js';
import { accountClaimant, nameClaim, nameTaken } from './account-claims.js';
import type { CreationServices } from './create-account.js';
import { existing } from './existing.js';

const FIELD = 'NewUsername';

/**
 * Renames an account: claims the new name first and releases the old one afterwards. Refuses as `invalid` what cannot be
 * a name or is taken. A change of letter case alone needs no new claim.
 */
export async function renameAccount(
  services: Pick<CreationServices, 'commands' | 'claims' | 'vault'>,
  accountId: number,
  name: string,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  const { commands, claims, vault } = services;
  checkAccountName(name, FIELD);
  const claimant = { ...accountClaimant(accountId), refusal: () => nameTaken(FIELD) };
  return claiming(claims, claimant, context, async (own) => {
    const earlier = await commands.repeated(Account, accountId, own);
    if (earlier) return earlier; // it may have another name again
    const { name: before, claimsLost } = await existing(services, accountId);
    const data = { accountId, name, claimsLost, at: own.at };
    const rename = () => commands.handle(Account, accountId, { type: 'RenameAccount', data }, own);
    if (before !== null && accountNameKey(before) === accountNameKey(name)) return rename();

    const held = before === null ? undefined : await claims.find(nameClaim(vault, before), accountId);
    const claim = await claims.claim(nameClaim(vault, name), accountId, own);
    const renamed = await orGiveUp(claims, claim, own, rename);
    if (held) await claims.release(held, own);
    return renamed;
  });
}
