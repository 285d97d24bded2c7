import { inTheNameOf } from '../../commands/context.js';
import { retireHooks } from '../../commands/hooks/retire-hooks.js';
import { Account } from '../../domain/accounts/account.js';
import type { Decider, Message } from '../../domain/decider.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import { secretsNamed, type HookEvent, type HookPlace } from '../../domain/hooks/hook-messages.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { Position } from '../../event-store/event-store.js';
import { foldAsOf } from '../../event-log/fold-as-of.js';
import { listHookIds } from '../../queries/hooks/hooks.js';
import type { Consequences, FollowingServices } from './consequence.js';

/**
 * What follows from changes to hooks: secrets that a hook no longer uses are deleted, deliveries go with their hook, and a
 * hook that was created for a repository or account already deleted is deleted again.
 */
export const ofHooks: Consequences<HookEvent> = {
  HookCreated: {
    async follow(event, services) {
      if (await wasGone(services, event.data, event.position)) await retire(services, event, event.data);
    },
  },

  HookEdited: {
    when: ({ before }) => secretsNamed(before).length > 0,
    follow: ({ data }, { vault }) => vault.hookSecrets.forgetEach(secretsNamed(data.before)),
  },

  HookDeleted: {
    async follow({ data }, { vault, deliveries }) {
      await vault.hookSecrets.forget(data.hookId);
      await deliveries.forget(data.hookId);
    },
  },
};

/** Deletes the hooks of a deleted repository or account. Their pending deliveries are still sent, to frozen targets. */
export async function retire(
  services: FollowingServices,
  event: DomainEvent,
  place: HookPlace,
): Promise<void> {
  for (const hookId of await listHookIds(services.db, place)) await freezeDeliveries(hookId, services);
  await retireHooks(services, place, inTheNameOf(event, 'retire hooks'));
}

async function freezeDeliveries(
  hookId: number,
  { deliveries, findTarget, freeze }: FollowingServices,
): Promise<void> {
  for (const repositoryId of await deliveries.listAwaited(hookId)) {
    const target = await findTarget(hookId, repositoryId ?? undefined);
    if (target) await deliveries.freeze(hookId, repositoryId, (id) => freeze(id, target));
  }
}

/**
 * Tells whether a hook's repository or account was deleted before a position. After a later deletion the hook is still to
 * get its delivery, so it is left to that deletion's own consequences.
 */
async function wasGone(
  { commands, log }: Pick<FollowingServices, 'commands' | 'log'>,
  { scope, ownerId }: HookPlace,
  position: Position,
): Promise<boolean> {
  if (scope === 'system') return false;
  const was = async <E extends Message, S extends { readonly status: string }>(owner: Decider<never, E, S>) =>
    (await commands.load(owner, ownerId)).state.status === 'deleted' &&
    (await foldAsOf(log, owner, ownerId, position)).status === 'deleted';
  return scope === 'repository' ? was(Repository) : was(Account);
}
