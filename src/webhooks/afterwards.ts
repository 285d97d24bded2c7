import { settleEdits } from '../commands/accounts/settle-edits.js';
import { retireHooks } from '../commands/hooks/retire-hooks.js';
import type { CommandHandler } from '../commands/handle.js';
import type { Queryable } from '../database/database.js';
import type { AccountEvent } from '../domain/accounts/account-messages.js';
import type { DomainEvent } from '../domain/domain-event.js';
import type { HookEvent, HookPlace } from '../domain/hooks/hook-messages.js';
import type { RepositoryEvent } from '../domain/repositories/repository-messages.js';
import { stepId } from '../event-log/event-id.js';
import type { Vault } from '../vault/vault.js';
import type { Deliveries } from './deliveries.js';

interface Services {
  readonly db: Queryable;
  readonly commands: CommandHandler;
  readonly vault: Vault;
  readonly deliveries: Deliveries;
}

/**
 * What follows from an event, once its own deliveries are written: hooks go with what they belong to, secrets with their
 * hook or mirror, deliveries with the person that they show, and credentials come to be as their account was edited.
 */
export const afterwards =
  (services: Services) =>
  (given: DomainEvent): (() => Promise<void>) | undefined => {
    const event = given as DomainEvent<AccountEvent | HookEvent | RepositoryEvent>;
    const retire =
      (...places: readonly HookPlace[]) =>
      async () => {
        for (const place of places)
          await retireHooks(services, place, {
            commandId: stepId(event.id, 'retire hooks'),
            at: new Date().toISOString(),
            correlationId: event.metadata.$correlationId,
          });
      };
    switch (event.type) {
      case 'AccountEdited': {
        const { accountId, editId } = event.data;
        if (editId === undefined) return undefined;
        return async () => {
          await settleEdits(services, accountId);
        };
      }
      case 'RepositoryDeleted':
        return async () => {
          await services.vault.mirrors.forget(Number(event.streamId));
          await retire({ scope: 'repository', ownerId: Number(event.streamId) })();
        };
      case 'AccountDeleted':
        return retire(
          { scope: 'user', ownerId: event.data.accountId },
          { scope: 'organization', ownerId: event.data.accountId },
        );
      case 'PersonErased':
        return () => services.deliveries.forgetAccount(event.data.accountId);
      case 'HookDeleted':
        return async () => {
          await services.vault.hookSecrets.forget(event.data.hookId);
          await services.deliveries.forget(event.data.hookId);
        };
      default:
        return undefined;
    }
  };
