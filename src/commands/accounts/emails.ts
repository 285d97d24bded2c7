import { Account } from '../../domain/accounts/account.js';
import { checkEmail, including } from '../../domain/accounts/email.js';
import type { Position } from '../../event-store/event-store.js';
import { claiming } from '../claiming.js';
import type { CommandContext } from '../context.js';
import { orUndo } from '../or-undo.js';
import { accountClaimant, emailClaim } from './account-claims.js';
import type { CreationServices } from './create-account.js';
import { existing } from './existing.js';

type EmailServices = Pick<CreationServices, 'commands' | 'claims' | 'vault'>;

interface Emails {
  readonly accountId: number;
  readonly emails: readonly string[];
}

/** Adds addresses to a user, all or none. Refuses as `invalid` what is not an address, or is in use. */
export async function addEmails(
  { commands, claims, vault }: EmailServices,
  { accountId, emails: asked }: Emails,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  asked.forEach(checkEmail);
  const emails = asked.reduce<readonly string[]>(including, []);
  return claiming(claims, accountClaimant(accountId), context, async (own) => {
    const earlier = await commands.repeated(Account, accountId, own);
    if (earlier) return earlier;
    const state = await existing({ commands }, accountId);
    const data = { accountId, emails, claimsLost: state.claimsLost, at: own.at };
    const command = { type: 'AddEmails', data } as const;
    Account.decide(command, state); // most refusals come before anything is claimed
    const undo: (() => Promise<void>)[] = [];
    return orUndo(undo, async () => {
      for (const email of emails) {
        const claim = await claims.claim(emailClaim(vault, email), accountId, own);
        undo.push(() => claims.giveUp(claim, own));
      }
      return commands.handle(Account, accountId, command, own);
    });
  });
}

/** Removes addresses from a user, all or none, and releases them for others. The primary one cannot be removed. */
export async function removeEmails(
  { commands, claims, vault }: EmailServices,
  { accountId, emails }: Emails,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  return claims.inTurn(Account, accountId, async () => {
    const earlier = await commands.repeated(Account, accountId, context);
    if (earlier) return earlier; // it may have them again
    const held = await Promise.all(emails.map((email) => claims.find(emailClaim(vault, email), accountId)));
    const command = { type: 'RemoveEmails', data: { accountId, emails, at: context.at } } as const;
    const removed = await commands.handle(Account, accountId, command, context);
    for (const claim of held) if (claim) await claims.release(claim, context);
    return removed;
  });
}
