import { DomainError } from '../../domain/errors.js';
import { Repository } from '../../domain/repositories/repository.js';
import { later, type Position } from '../../event-store/event-store.js';
import type { Vault } from '../../vault/vault.js';
import type { Claims } from '../claims.js';
import { step, type CommandContext } from '../context.js';
import { existing } from './existing.js';
import { repositoryNameClaim } from './repository-claims.js';
import { clearAway, rollForward, type RollingServices } from './roll-forward.js';

/** The services for deleting repositories: claims free the name, the vault forgets the credentials of a mirror. */
export interface DeletionServices extends RollingServices {
  readonly claims: Claims;
  readonly vault: { readonly mirrors: Pick<Vault['mirrors'], 'forget'> };
  /** Finds the forks of a repository that are not detached from it, once the read models have passed the position. */
  readonly forksOf: (repositoryId: number, position: Position) => Promise<readonly number[]>;
}

/** A repository to delete. */
export interface RepositoryDeletion {
  readonly repositoryId: number;
  /** The expected owner: a repository that another account owns by now is not deleted. */
  readonly ownerId: number;
}

/**
 * Deletes a repository. It is deleted by the append to its stream, which is made under the repository's lock: whoever
 * else holds that would take the note away. What it held is freed afterwards or, if that was interrupted, later: the
 * folder and the bytes because the repository is noted among the pending refs, the name by the next one that wants it.
 * Forks remain and are detached; the dispatcher does that as well.
 */
export async function deleteRepository(
  services: DeletionServices,
  { repositoryId, ownerId }: RepositoryDeletion,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  const { commands, claims, repositoryLocks, vault, forksOf } = services;
  await existing(services, repositoryId);
  const command = { type: 'DeleteRepository', data: { ownerId, at: context.at } } as const;
  const { deleted, position } = await repositoryLocks.run(repositoryId, async () => {
    await repositoryLocks.pending.note(repositoryId);
    const deleted = await commands
      .handle(Repository, repositoryId, command, context)
      .catch(async (error: unknown) => {
        // Refused: it may be deleted already, or have been noted before.
        if (error instanceof DomainError) await rollForward(services, repositoryId);
        throw error;
      });
    const cleared = await clearAway(services, repositoryId, context);
    return { deleted, position: later(deleted.position, cleared) };
  });
  await vault.mirrors.forget(repositoryId);
  for (const event of deleted.events) {
    if (event.type !== 'RepositoryDeleted') continue;
    const { ownerId, name } = event.data;
    const claim = await claims.find(repositoryNameClaim(ownerId, name), repositoryId);
    if (claim) await claims.release(claim, context);
  }
  const detached = await detachForks({ commands, forksOf }, repositoryId, deleted.position, context);
  return { position: later(position, detached) };
}

/** Detaches the forks of a deleted repository, as far as read models show them that have passed the position `deleted`. */
export async function detachForks(
  { commands, forksOf }: Pick<DeletionServices, 'commands' | 'forksOf'>,
  repositoryId: number,
  deleted: Position,
  context: CommandContext,
): Promise<Position> {
  const command = { type: 'DetachRepository', data: { at: context.at } } as const;
  let position = deleted;
  for (const forkId of await forksOf(repositoryId, deleted)) {
    const detached = await commands.handle(Repository, forkId, command, step(context, `detach ${forkId}`));
    position = later(position, detached.position);
  }
  return position;
}
