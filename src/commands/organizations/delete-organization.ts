import { Account } from '../../domain/accounts/account.js';
import { QuotaMembership } from '../../domain/quota/quota-membership.js';
import type { Position } from '../../event-store/event-store.js';
import { nameClaim, type CreationServices } from '../accounts/create-account.js';
import { step, type CommandContext } from '../context.js';

/**
 * Deletes an organization. Its account is closing first, so that nothing comes to belong to it any more, and it leaves
 * its quota groups; the end of the account is the step that counts: with it teams, memberships, grants and labels leave
 * the read models, and whoever wants the name gets it. Until then the same request again completes it. Refuses as
 * `not-found` where it does not exist.
 */
export async function deleteOrganization(
  { commands, claims, vault }: Pick<CreationServices, 'commands' | 'claims' | 'vault'>,
  accountId: number,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  const { at } = context;
  const data = { accountId, at };
  await commands.handle(Account, accountId, { type: 'CloseAccount', data }, step(context, 'close'));
  const none = { type: 'SetQuotaGroups', data: { groups: [], at } } as const;
  await commands.handle(QuotaMembership, accountId, none, step(context, 'leave quota groups'));
  const deleted = await commands.handle(Account, accountId, { type: 'DeleteAccount', data }, context);
  const { name } = (await commands.load(Account, accountId)).state;
  const claim = name === null ? undefined : await claims.find(nameClaim(vault, name), accountId);
  if (claim) await claims.release(claim, context);
  return deleted;
}
