import { Account } from '../../domain/accounts/account.js';
import { conflict, invalid } from '../../domain/errors.js';
import { isLastOwner } from '../../domain/organizations/memberships.js';
import { Organization } from '../../domain/organizations/organization.js';
import { EventStoreUnavailable, type Position } from '../../event-store/event-store.js';
import { nameClaim } from '../accounts/account-claims.js';
import type { CreationServices } from '../accounts/create-account.js';
import { closeToDelete, deletingAnew } from '../accounts/deleting-anew.js';
import { step, type CommandContext } from '../context.js';
import { leaveGroups } from '../quota/leave-groups.js';
import { deleteOwned, ownRepositories, type OwnedRepositories } from '../repositories/owned-repositories.js';

/** What deleting an organization needs; the vault's digest finds the claim of its name. */
export type OrganizationDeletionServices = Pick<CreationServices, 'commands' | 'claims' | 'vault'>;

/** The organization to delete, and how its repositories are found and deleted. */
export interface OrganizationDeletion {
  readonly accountId: number;
  /** Whether to delete its repositories, too. */
  readonly purge: boolean;
  readonly repositories: OwnedRepositories;
  /** The user with whom it is deleted: refused as a conflict if that is not its last owner (any more). */
  readonly lastOwnerId?: number;
}

/** The code of the refusal to delete it with its last owner, because there is another owner. */
export const ANOTHER_OWNER = 'organization.another_owner';

/**
 * Deletes an organization in steps. First its account is closing, so that nothing can come to belong to it any more, and
 * it leaves its quota groups. Ending the account is the decisive step: with it teams, memberships, grants and labels leave
 * the read models, and the name is free. After a crash the same request completes the deletion. Refuses as `not-found`
 * if it does not exist, and as `invalid`, leaving the account as it was, if it still owns repositories.
 */
export const deleteOrganization = (
  services: OrganizationDeletionServices,
  deletion: OrganizationDeletion,
  context: CommandContext,
): Promise<{ readonly position: Position }> =>
  deletingAnew(context, (steps) => deleteOnce(services, deletion, context, steps));

/** `steps` is the context of all steps but the last one, which ends the account. */
async function deleteOnce(
  { commands, claims, vault }: OrganizationDeletionServices,
  { accountId, purge, repositories, lastOwnerId }: OrganizationDeletion,
  context: CommandContext,
  steps: CommandContext,
): Promise<{ readonly position: Position }> {
  const data = { accountId, at: context.at };
  const closing = await closeToDelete(commands, accountId, step(steps, 'close'));
  try {
    const { state } = await commands.load(Organization, accountId);
    if (lastOwnerId !== undefined && !isLastOwner(state, lastOwnerId))
      throw conflict(ANOTHER_OWNER, 'somebody else owns it');
    const claimants = await repositories.of(accountId, closing.position);
    const owned = await ownRepositories(commands, accountId, claimants, steps);
    if (owned.length > 0 && !purge)
      throw invalid('organization.owns_repositories', 'Org', 'it owns repositories still');
    await deleteOwned(repositories, accountId, owned, steps);
    await leaveGroups(commands, accountId, steps);
  } catch (error) {
    if (!(error instanceof EventStoreUnavailable))
      await commands.handle(Account, accountId, { type: 'ReopenAccount', data }, step(steps, 'reopen'));
    throw error;
  }
  const deleted = await commands.handle(Account, accountId, { type: 'DeleteAccount', data }, context);
  const { name } = (await commands.load(Account, accountId)).state;
  const claim = name === null ? undefined : await claims.find(nameClaim(vault, name), accountId);
  if (claim) await claims.release(claim, context);
  return deleted;
}
