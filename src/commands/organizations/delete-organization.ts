import { Account } from '../../domain/accounts/account.js';
import { invalid } from '../../domain/errors.js';
import { QuotaMembership } from '../../domain/quota/quota-membership.js';
import { EventStoreUnavailable, type Position } from '../../event-store/event-store.js';
import { nameClaim } from '../accounts/account-claims.js';
import type { CreationServices } from '../accounts/create-account.js';
import { step, type CommandContext } from '../context.js';
import { ownRepositories, type OwnedRepositories } from '../repositories/owned-repositories.js';

export interface OrganizationDeletion {
  readonly accountId: number;
  /** Deletes its repositories too. */
  readonly purge: boolean;
  readonly repositories: OwnedRepositories;
}

/**
 * Deletes an organization. Its account is closing first, so that nothing comes to belong to it any more, and it leaves
 * its quota groups; the end of the account is the step that counts: with it teams, memberships, grants and labels leave
 * the read models, and whoever wants the name gets it. Until then the same request again completes it. Refuses as
 * `not-found` where it does not exist, and as `invalid`, with the account as it was, where it owns repositories still.
 */
export async function deleteOrganization(
  { commands, claims, vault }: Pick<CreationServices, 'commands' | 'claims' | 'vault'>,
  { accountId, purge, repositories }: OrganizationDeletion,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  const { at } = context;
  const data = { accountId, at };
  const handle = (type: 'CloseAccount' | 'ReopenAccount', own: CommandContext) =>
    commands.handle(Account, accountId, { type, data }, own);
  const closing = await handle('CloseAccount', step(context, 'close'));
  try {
    const claimants = await repositories.of(accountId, closing.position);
    const owned = await ownRepositories(commands, accountId, claimants, context);
    if (owned.length > 0 && !purge)
      throw invalid('organization.owns_repositories', 'Org', 'it owns repositories still');
    for (const id of owned) await repositories.delete(id, step(context, `delete repository ${id}`));
  } catch (error) {
    if (!(error instanceof EventStoreUnavailable)) await handle('ReopenAccount', step(context, 'reopen'));
    throw error;
  }
  const none = { type: 'SetQuotaGroups', data: { groups: [], at } } as const;
  await commands.handle(QuotaMembership, accountId, none, step(context, 'leave quota groups'));
  const deleted = await commands.handle(Account, accountId, { type: 'DeleteAccount', data }, context);
  const { name } = (await commands.load(Account, accountId)).state;
  const claim = name === null ? undefined : await claims.find(nameClaim(vault, name), accountId);
  if (claim) await claims.release(claim, context);
  return deleted;
}
