import { Account, type AccountState } from '../../domain/accounts/account.js';
import { ADMINISTRATORS, Administrators } from '../../domain/accounts/administrators.js';
import { hasCode, invalid } from '../../domain/errors.js';
import { isLastOwner, LAST_OWNER } from '../../domain/organizations/memberships.js';
import { Organization } from '../../domain/organizations/organization.js';
import { EventStoreUnavailable, type Position } from '../../event-store/event-store.js';
import type { Writings } from '../../queries/issues/writings.js';
import type { Vault } from '../../vault/vault.js';
import type { Claimable } from '../claimable.js';
import { ownCommand, step, type CommandContext } from '../context.js';
import { unlessGone, unlessRefused } from '../unless-refused.js';
import { whileOvertaken } from '../while-overtaken.js';
import { deleteWritings } from '../issues/delete-writings.js';
import { abandonFoundations } from '../organizations/abandon-foundations.js';
import { ANOTHER_OWNER, deleteOrganization } from '../organizations/delete-organization.js';
import { removeMember } from '../organizations/remove-member.js';
import { leaveGroups } from '../quota/leave-groups.js';
import { deleteOwned, ownRepositories, type OwnedRepositories } from '../repositories/owned-repositories.js';
import { emailClaim, fingerprintClaim, nameClaim, type Digests } from './account-claims.js';
import { appointAgain } from './appoint.js';
import type { CreationServices } from './create-account.js';
import { closeToDelete, deletingAnew } from './deleting-anew.js';
import { erasePerson } from './erase-person.js';
import { existing } from './existing.js';

/** What deleting a user needs; from the vault all parts that know the person, and the digests that find the claims. */
export type DeletionServices = Pick<CreationServices, 'commands' | 'claims'> & {
  readonly vault: Pick<Vault, 'credentials' | 'tokens' | 'people' | 'digest'>;
};

/** The user to delete, and how to find in the read models what depends on the user. */
export interface UserDeletion {
  readonly accountId: number;
  /**
   * Whether to delete what would be left without an owner (repositories, and organizations of which the user is the last
   * owner) and what the user wrote in issues.
   */
  readonly purge: boolean;
  /** Whether to erase the person as well: see `erasePerson`. */
  readonly erase: boolean;
  readonly repositories: OwnedRepositories;
  /** Finds the organizations that the user is a member of, once the read models have passed the position. */
  readonly organizationsOf: (position: Position) => Promise<readonly number[]>;
  /** Finds what the user wrote; to be called after `organizationsOf`. */
  readonly writings: () => Promise<Writings>;
}

/**
 * Deletes a user in steps. First the account is closing, so that nothing can come to belong to it any more. Then obstacles
 * are looked for, and the user leaves office, organizations and quota groups. Ending the account is the decisive step:
 * nobody can sign in to it any more, and others can get its name, addresses and keys. After a crash the same request
 * completes the deletion. Refuses as `invalid`, leaving the account as it was, the last site administrator and, without
 * `purge`, the last owner of an organization and an owner of repositories.
 */
export const deleteUser = (
  services: DeletionServices,
  deletion: UserDeletion,
  context: CommandContext,
): Promise<{ readonly position: Position }> =>
  deletingAnew(context, (steps) => deleteOnce(services, deletion, context, steps));

/** `steps` is the context of all steps but the last one, which ends the account. */
async function deleteOnce(
  services: DeletionServices,
  deletion: UserDeletion,
  context: CommandContext,
  steps: CommandContext,
): Promise<{ readonly position: Position }> {
  const { commands } = services;
  const { accountId } = deletion;
  const data = { accountId, at: context.at };
  const closing = await closeToDelete(commands, accountId, step(steps, 'close'));
  let dismissed = false;
  let held: AccountState;
  let position: Position;
  try {
    const founded = await deletion.organizationsOf(closing.position);
    const organizationIds = await abandonFoundations(commands, founded, steps);
    const claimants = await deletion.repositories.of(accountId, closing.position);
    const repositoryIds = await ownRepositories(commands, accountId, claimants, steps);
    if (!deletion.purge) await refuseObstacles(services, accountId, organizationIds, repositoryIds);
    const dismiss = { type: 'DismissAdministrator', data } as const;
    const own = step(steps, 'dismiss');
    dismissed = (await commands.handle(Administrators, ADMINISTRATORS, dismiss, own)).events.length > 0;
    if (deletion.purge) await deleteWritings(commands, await deletion.writings(), steps);
    for (const organizationId of organizationIds)
      await unlessGone(leave(services, organizationId, deletion, steps));
    await deleteOwned(deletion.repositories, accountId, repositoryIds, steps);
    await leaveGroups(commands, accountId, steps);
    held = await existing(services, accountId);
    ({ position } = await commands.handle(
      Account,
      accountId,
      { type: 'DeleteAccount', data: { ...data, erase: deletion.erase } },
      context,
    ));
  } catch (error) {
    if (error instanceof EventStoreUnavailable) throw error; // it may be deleted: the same request again completes it
    await commands.handle(Account, accountId, { type: 'ReopenAccount', data }, step(steps, 'reopen'));
    if (dismissed) await unlessRefused(appointAgain(commands, accountId, steps));
    throw error;
  }
  await free(services, accountId, held, context);
  if (deletion.erase) ({ position } = await erasePerson(services, accountId, step(context, 'erase')));
  return { position };
}

/** Refuses a deletion without `purge` if the user owns repositories or is the last owner of an organization. */
async function refuseObstacles(
  { commands }: DeletionServices,
  accountId: number,
  organizationIds: readonly number[],
  repositoryIds: readonly number[],
): Promise<void> {
  if (repositoryIds.length > 0)
    throw invalid('account.owns_repositories', 'Username', 'owns repositories still');
  for (const organizationId of organizationIds) {
    const { state } = await commands.load(Organization, organizationId);
    if (isLastOwner(state, accountId))
      throw invalid('account.last_owner', 'Username', 'is the last owner of an organization');
  }
}

/** How often leaving an organization is tried, because other owners may come and go meanwhile. */
const ATTEMPTS = 5;

const leave = (
  services: DeletionServices,
  organizationId: number,
  deletion: UserDeletion,
  context: CommandContext,
): Promise<void> =>
  whileOvertaken([ANOTHER_OWNER], ATTEMPTS, (attempt) =>
    leaveOnce(services, organizationId, deletion, attempt === 1 ? context : ownCommand(context)),
  );

async function leaveOnce(
  services: DeletionServices,
  organizationId: number,
  { accountId, purge, repositories }: UserDeletion,
  context: CommandContext,
): Promise<void> {
  const own = step(context, `leave ${organizationId}`);
  try {
    await removeMember(services.commands, organizationId, accountId, own);
  } catch (error) {
    if (!purge || !hasCode(error, LAST_OWNER)) throw error;
    const deletion = { accountId: organizationId, purge, repositories, lastOwnerId: accountId };
    await deleteOrganization(services, deletion, step(context, `delete ${organizationId}`));
  }
}

/** Removes the user's credentials, and releases its name, addresses and keys. */
async function free(
  { claims, vault }: DeletionServices,
  accountId: number,
  held: AccountState,
  context: CommandContext,
): Promise<void> {
  await vault.credentials.remove(accountId);
  await vault.tokens.removeAll(accountId);
  for (const claimable of claimablesOf(vault, held)) {
    const claim = await claims.find(claimable, accountId);
    if (claim) await claims.release(claim, context);
  }
}

const claimablesOf = (vault: Digests, { name, profile, keys }: AccountState): Claimable[] => [
  ...(name === null ? [] : [nameClaim(vault, name)]),
  ...profile.emails.map((email) => emailClaim(vault, email)),
  ...[...keys.values()].map(({ fingerprint }) => fingerprintClaim(fingerprint)),
];
