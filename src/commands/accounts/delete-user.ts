import { Account, type AccountState } from '../../domain/accounts/account.js';
import { ADMINISTRATORS, Administrators } from '../../domain/accounts/administrators.js';
import { DomainError, invalid } from '../../domain/errors.js';
import { isLastOwner } from '../../domain/organizations/memberships.js';
import { Organization } from '../../domain/organizations/organization.js';
import { QuotaMembership } from '../../domain/quota/quota-membership.js';
import { EventStoreUnavailable, type Position } from '../../event-store/event-store.js';
import type { Writings } from '../../queries/issues/writings.js';
import type { Vault } from '../../vault/vault.js';
import type { Claimable } from '../claimable.js';
import { ownCommand, step, type CommandContext } from '../context.js';
import { unlessGone } from '../unless-refused.js';
import { whileOvertaken } from '../while-overtaken.js';
import { deleteWritings } from '../issues/delete-writings.js';
import { abandonFoundations } from '../organizations/abandon-foundations.js';
import { ANOTHER_OWNER, deleteOrganization } from '../organizations/delete-organization.js';
import { deleteOwned, ownRepositories, type OwnedRepositories } from '../repositories/owned-repositories.js';
import { emailClaim, fingerprintClaim, nameClaim, type Digests } from './account-claims.js';
import { appointAgain } from './appoint.js';
import type { CreationServices } from './create-account.js';
import { deletingAnew } from './deleting-anew.js';
import { erasePerson } from './erase-person.js';
import { existing } from './existing.js';

/** What deleting a user takes: of the vault, all that knows the person, and the digests that find what was claimed. */
export type DeletionServices = Pick<CreationServices, 'commands' | 'claims'> & {
  readonly vault: Pick<Vault, 'credentials' | 'tokens' | 'people' | 'digest'>;
};

/** A user who is to be deleted, and how what hangs on it is found in the read models. */
export interface UserDeletion {
  readonly accountId: number;
  /**
   * Deletes what would have nobody left: repositories, and organizations that the user is the last owner of; and what the
   * user wrote in issues.
   */
  readonly purge: boolean;
  /** Forgets the person as well: see `erasePerson`. */
  readonly erase: boolean;
  readonly repositories: OwnedRepositories;
  /** The organizations that the user is a member of, once everything up to the position counts. */
  readonly organizationsOf: (position: Position) => Promise<readonly number[]>;
  /** What the user wrote, once `organizationsOf` was asked. */
  readonly writings: () => Promise<Writings>;
}

/**
 * Deletes a user. Its account is closing first, so that nothing comes to belong to it any more; then what stands in the
 * way is looked for, and the user leaves office, organizations and quota groups. Until then the same request again
 * completes what a crash cut off. The end of the account is the step that counts: nobody signs in any more, and whoever
 * wants its name, addresses or keys gets them. Refuses as `invalid`, with the account as it was, the last site
 * administrator and, without `purge`, the last owner of an organization and whoever owns repositories.
 */
export const deleteUser = (
  services: DeletionServices,
  deletion: UserDeletion,
  context: CommandContext,
): Promise<{ readonly position: Position }> =>
  deletingAnew(context, (steps) => deleteOnce(services, deletion, context, steps));

/** `steps`: in whose name everything but the end of the account is done. */
async function deleteOnce(
  services: DeletionServices,
  deletion: UserDeletion,
  context: CommandContext,
  steps: CommandContext,
): Promise<{ readonly position: Position }> {
  const { commands } = services;
  const { accountId } = deletion;
  const data = { accountId, at: context.at };
  const closing = await commands.handle(
    Account,
    accountId,
    { type: 'CloseAccount', data },
    step(steps, 'close'),
  );
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
    const leaveGroups = { type: 'SetQuotaGroups', data: { groups: [], at: context.at } } as const;
    await commands.handle(QuotaMembership, accountId, leaveGroups, step(steps, 'leave quota groups'));
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
    if (dismissed) await unlessGone(appointAgain(commands, accountId, steps));
    throw error;
  }
  await free(services, accountId, held, context);
  if (deletion.erase) ({ position } = await erasePerson(services, accountId, step(context, 'erase')));
  return { position };
}

/** What stands in the way of a deletion that is no purge. */
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

/** Somebody may become an owner beside the last one, or stop being it, so often. */
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
  const command = { type: 'RemoveMember', data: { accountId, at: context.at } } as const;
  const own = step(context, `leave ${organizationId}`);
  try {
    await services.commands.handle(Organization, organizationId, command, own);
  } catch (error) {
    const isLastOwner = error instanceof DomainError && error.code === 'organization.last_owner';
    if (!isLastOwner || !purge) throw error;
    const deletion = { accountId: organizationId, purge, repositories, lastOwnerId: accountId };
    await deleteOrganization(services, deletion, step(context, `delete ${organizationId}`));
  }
}

/** Ends what the user could sign in with, and lets others have what it held. */
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
