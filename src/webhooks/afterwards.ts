import { settleEdits } from '../commands/accounts/settle-edits.js';
import { step, type CommandContext } from '../commands/context.js';
import { retireHooks } from '../commands/hooks/retire-hooks.js';
import type { CommandHandler } from '../commands/handle.js';
import { takeOffIssues, takeOffIssuesIn, takeOffIssuesOf } from '../commands/issues/take-off.js';
import type { Storage } from '../commands/quota/storage.js';
import { detachForks } from '../commands/repositories/delete-repository.js';
import { followOwner, followVisibility } from '../commands/repositories/edit-repository.js';
import { moveBetweenTeams } from '../commands/repositories/transfer-repository.js';
import { unlessGone } from '../commands/unless-gone.js';
import type { Queryable } from '../database/database.js';
import { DatabaseUnavailable } from '../database/unavailable.js';
import { Account } from '../domain/accounts/account.js';
import { ADMINISTRATORS, Administrators } from '../domain/accounts/administrators.js';
import type { Decider, Message } from '../domain/decider.js';
import type { AccountEvent } from '../domain/accounts/account-messages.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { DomainError } from '../domain/errors.js';
import { secretsNamed, type HookEvent, type HookPlace } from '../domain/hooks/hook-messages.js';
import { Organization, type OrganizationEvent } from '../domain/organizations/organization.js';
import { hasOtherAccess } from '../domain/organizations/team.js';
import type { RepositoryEvent } from '../domain/repositories/repository-messages.js';
import { Repository } from '../domain/repositories/repository.js';
import { stepId } from '../event-log/event-id.js';
import type { EventLog } from '../event-log/event-log.js';
import { foldAsOf } from '../event-log/fold-as-of.js';
import type { Position } from '../event-store/event-store.js';
import { listOrganizationIdsOf } from '../queries/accounts/organization-ids.js';
import { listAccountsAssigned } from '../queries/issues/issues.js';
import { listBaseIds, listForkIds } from '../queries/repositories/ownership.js';
import { listOfferedTo } from '../queries/repositories/transfers.js';
import type { Vault } from '../vault/vault.js';
import type { Deliveries } from './deliveries.js';

interface Services {
  readonly db: Queryable;
  readonly commands: CommandHandler;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly vault: Vault;
  readonly deliveries: Deliveries;
  readonly storage: Storage;
  /** Whether the read models have passed a position, or do soon. */
  readonly reached: (position: Position) => Promise<boolean>;
}

/**
 * What follows from an event, once its own deliveries are written: hooks go with what they belong to, secrets with their
 * account, hook or mirror, deliveries with the person that they show; whoever is deleted leaves organizations and office,
 * and takes nothing that was offered, whoever lost access is taken off issues, forks follow their base and its owner, teams
 * get and lose what is transferred, and credentials come to be as their account was edited. Most of it the request does
 * itself: here it is done for those that were cut off, and done again it changes nothing.
 */
export const afterwards =
  (services: Services) =>
  (given: DomainEvent): (() => Promise<void>) | undefined => {
    const event = given as DomainEvent<AccountEvent | HookEvent | OrganizationEvent | RepositoryEvent>;
    const repositories = {
      ...services,
      forksOf: (repositoryId: number) => listForkIds(services.db, repositoryId),
      basesOf: (ownerId: number) => listBaseIds(services.db, ownerId),
    };
    const retire =
      (...places: readonly HookPlace[]) =>
      async () => {
        for (const place of places) await retireHooks(services, place, inTheNameOf(event, 'retire hooks'));
      };
    const takeOff = (accounts: () => Promise<readonly number[]> | readonly number[]) => async () => {
      for (const id of await accounts())
        await takeOffIssuesOf(services, Number(event.streamId), id, inTheNameOf(event, 'take off issues'));
    };
    switch (event.type) {
      case 'AccountEdited': {
        const { accountId, editId, settings } = event.data;
        if (editId === undefined && settings.visibility === undefined) return undefined;
        return async () => {
          if (editId !== undefined) await settleEdits(services, accountId);
          if (settings.visibility === undefined) return;
          const context = inTheNameOf(event, 'follow visibility');
          await followOwner(repositories, accountId, context, event.position);
        };
      }
      case 'TeamMemberRemoved':
        return takeOff(() => [event.data.accountId]);
      case 'MembersLeft':
        return takeOff(() => event.data.accountIds);
      case 'TeamEdited':
        if (!hasOtherAccess(event.data.before, event.data)) return undefined;
        return takeOff(() => listAccountsAssigned(services.db, Number(event.streamId)));
      case 'TeamDeleted':
        return takeOff(() => listAccountsAssigned(services.db, Number(event.streamId)));
      case 'TeamRepositoryRemoved':
        return async () => {
          const { repositoryId } = event.data;
          const { ownerId } = (await services.commands.load(Repository, repositoryId)).state;
          if (ownerId !== Number(event.streamId)) return; // see RepositoryTransferred
          await takeOffIssuesIn(services, repositoryId, inTheNameOf(event, 'take off issues'));
        };
      case 'CollaboratorRemoved':
        return async () => {
          const context = inTheNameOf(event, 'take off issues');
          await takeOffIssues(services, Number(event.streamId), [event.data.accountId], context);
        };
      case 'RepositoryTransferred':
        return async () => {
          const repositoryId = Number(event.streamId);
          const { ownerId: recipientId, previousOwnerId: ownerId, teamIds } = event.data;
          if ((await services.commands.load(Repository, repositoryId)).state.ownerId !== recipientId) return;
          // The same command again: teams that it gave the repository to may have lost it since.
          const { $causationId: commandId } = event.metadata;
          const context = { ...inTheNameOf(event, 'move'), commandId, repeatable: true };
          const move = { repositoryId, ownerId, recipientId, teamIds };
          const moved = await moveBetweenTeams(services, move, context);
          const following = inTheNameOf(event, 'follow visibility');
          await followVisibility(repositories, repositoryId, following, event.position);
          // Teams that it was given to just now let their members be assigned.
          if (!(await services.reached(moved))) throw new DatabaseUnavailable('the read models are behind');
          await takeOffIssuesIn(services, repositoryId, inTheNameOf(event, 'take off issues'));
        };
      case 'RepositoryVisibilityChanged':
        return async () => {
          const context = inTheNameOf(event, 'follow visibility');
          await followVisibility(repositories, Number(event.streamId), context, event.position);
        };
      case 'RepositoryDeleted':
        return async () => {
          await services.vault.mirrors.forget(Number(event.streamId));
          const context = inTheNameOf(event, 'detach forks');
          await detachForks(repositories, Number(event.streamId), event.position, context);
          await retire({ scope: 'repository', ownerId: Number(event.streamId) })();
        };
      case 'AccountDeleted':
        return async () => {
          const { accountId } = event.data;
          await services.vault.credentials.remove(accountId);
          await services.vault.tokens.removeAll(accountId);
          await leave(services, accountId, inTheNameOf(event, 'leave'));
          await rejectOffers(services, accountId, inTheNameOf(event, 'reject offers'));
          await retire(
            { scope: 'user', ownerId: accountId },
            { scope: 'organization', ownerId: accountId },
          )();
        };
      case 'PersonErased':
        return () => services.deliveries.forgetAccount(event.data.accountId);
      case 'HookEdited': {
        const replaced = secretsNamed(event.data.before);
        return replaced.length > 0 ? () => services.vault.hookSecrets.forgetEach(replaced) : undefined;
      }
      case 'HookCreated':
        return async () => {
          if (await wasGone(services, event.data, event.position)) await retire(event.data)();
        };
      case 'HookDeleted':
        return async () => {
          await services.vault.hookSecrets.forget(event.data.hookId);
          await services.deliveries.forget(event.data.hookId);
        };
      default:
        return undefined;
    }
  };

/**
 * Takes a deleted account out of what it came into while it was deleted, where whoever let it in was cut off before it
 * looked for that.
 */
async function leave(
  { db, commands }: Pick<Services, 'db' | 'commands'>,
  accountId: number,
  context: CommandContext,
): Promise<void> {
  const data = { accountId, at: context.at };
  const dismiss = { type: 'DismissAdministrator', data } as const;
  await unlessLast(commands.handle(Administrators, ADMINISTRATORS, dismiss, step(context, 'dismiss')));
  for (const id of await listOrganizationIdsOf(db, accountId)) {
    const own = step(context, `organization ${id}`);
    await unlessLast(commands.handle(Organization, id, { type: 'RemoveMember', data }, own));
  }
}

/** Whoever is deleted takes nothing any more, so that it can be offered to others. */
async function rejectOffers(
  { db, commands }: Pick<Services, 'db' | 'commands'>,
  recipientId: number,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'RejectTransfer', data: { recipientId, at: context.at } } as const;
  for (const id of await listOfferedTo(db, recipientId))
    await unlessGone(commands.handle(Repository, id, command, step(context, `of ${id}`)));
}

/** The last owner and the last administrator stay: there is nobody in their place. */
async function unlessLast(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

/** Whether what a hook belongs to was deleted before a position: a deletion that comes later is told to the hook first. */
async function wasGone(
  { commands, log }: Pick<Services, 'commands' | 'log'>,
  { scope, ownerId }: HookPlace,
  position: Position,
): Promise<boolean> {
  if (scope === 'system') return false;
  const was = async <E extends Message, S extends { readonly status: string }>(owner: Decider<never, E, S>) =>
    (await commands.load(owner, ownerId)).state.status === 'deleted' &&
    (await foldAsOf(log, owner, ownerId, position)).status === 'deleted';
  return scope === 'repository' ? was(Repository) : was(Account);
}

/** The context of what completes the request that the event came of. */
const inTheNameOf = ({ id, metadata }: DomainEvent, name: string): CommandContext => ({
  commandId: stepId(id, name),
  at: new Date().toISOString(),
  correlationId: metadata.$correlationId,
  ...(metadata.actor && { actor: metadata.actor }),
});
