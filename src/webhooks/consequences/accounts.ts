import { settleEdits } from '../../commands/accounts/settle-edits.js';
import { inTheNameOf, step, type CommandContext } from '../../commands/context.js';
import { removeMember } from '../../commands/organizations/remove-member.js';
import { followOwner } from '../../commands/repositories/edit-repository.js';
import { unlessGone, unlessRefused } from '../../commands/unless-refused.js';
import type { AccountEvent } from '../../domain/accounts/account-messages.js';
import { ADMINISTRATORS, Administrators } from '../../domain/accounts/administrators.js';
import { Repository } from '../../domain/repositories/repository.js';
import { listOrganizationIdsOf } from '../../queries/accounts/organization-ids.js';
import { listOfferedTo } from '../../queries/repositories/transfers.js';
import type { Consequences, FollowingServices } from './consequence.js';
import { retire } from './hooks.js';

/**
 * What follows from changes to accounts. Edited: its credentials are updated, and the forks of its repositories follow its
 * visibility. A token deleted: its secret is removed. Deleted: its secrets, memberships, administrator's role, transfers
 * offered to it, and hooks are removed. Erased: the deliveries that show it are removed.
 */
export const ofAccounts: Consequences<AccountEvent> = {
  AccountEdited: {
    when: ({ editId, settings }) => editId !== undefined || settings.visibility !== undefined,
    async follow(event, services) {
      const { accountId, editId, settings } = event.data;
      if (editId !== undefined) await settleEdits(services, accountId);
      if (settings.visibility === undefined) return;
      await followOwner(services, accountId, inTheNameOf(event, 'follow visibility'), event.position);
    },
  },

  AccessTokenDeleted: {
    follow: ({ data }, { vault }) => vault.tokens.remove(data.tokenId),
  },

  AccountDeleted: {
    async follow(event, services) {
      const { accountId } = event.data;
      await services.vault.credentials.remove(accountId);
      await services.vault.tokens.removeAll(accountId);
      await leave(services, accountId, inTheNameOf(event, 'leave'));
      await rejectOffers(services, accountId, inTheNameOf(event, 'reject offers'));
      await retire(services, event, { scope: 'user', ownerId: accountId });
      await retire(services, event, { scope: 'organization', ownerId: accountId });
    },
  },

  PersonErased: {
    follow: ({ data }, { deliveries }) => deliveries.forgetAccount(data.accountId),
  },
};

/**
 * Removes a deleted account from the organizations and the administrators' role that it was given while it was being
 * deleted, in case the request that added it was interrupted before it checked for that. A refusal is ignored: the last
 * owner and the last administrator stay, because nobody could take their place.
 */
async function leave(
  { db, commands }: Pick<FollowingServices, 'db' | 'commands'>,
  accountId: number,
  context: CommandContext,
): Promise<void> {
  const data = { accountId, at: context.at };
  const dismiss = { type: 'DismissAdministrator', data } as const;
  await unlessRefused(commands.handle(Administrators, ADMINISTRATORS, dismiss, step(context, 'dismiss')));
  for (const id of await listOrganizationIdsOf(db, accountId)) {
    const own = step(context, `organization ${id}`);
    await unlessRefused(removeMember(commands, id, accountId, own));
  }
}

/** Rejects the transfers that were offered to a deleted account, so that the repositories can be offered to others. */
async function rejectOffers(
  { db, commands }: Pick<FollowingServices, 'db' | 'commands'>,
  recipientId: number,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'RejectTransfer', data: { recipientId, at: context.at } } as const;
  for (const id of await listOfferedTo(db, recipientId))
    await unlessGone(commands.handle(Repository, id, command, step(context, `of ${id}`)));
}
