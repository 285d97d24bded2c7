import { Repository } from '../../domain/repositories/repository.js';
import type { Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessGone } from '../unless-refused.js';
import type { RepositoryDeletion } from './delete-repository.js';

/** How the repositories of an account that is being deleted are found and deleted. */
export interface OwnedRepositories {
  /** Finds those that the account owns or may come to own, once the read models have passed the position. */
  readonly of: (ownerId: number, position: Position) => Promise<readonly number[]>;
  readonly delete: (repository: RepositoryDeletion, context: CommandContext) => Promise<unknown>;
}

/**
 * Returns those that the closing account owns among the repositories that claimed a name under it. The others are
 * abandoned and never will be its own: a creator that is still at work starts again and is refused, and what a crashed
 * one left does not count.
 */
export async function ownRepositories(
  commands: CommandHandler,
  ownerId: number,
  claimantIds: readonly number[],
  context: CommandContext,
): Promise<readonly number[]> {
  const own: number[] = [];
  const isOwn = async (id: number) => {
    const { state } = await commands.load(Repository, id);
    return state.status === 'exists' && state.ownerId === ownerId;
  };
  for (const id of claimantIds) {
    const command = async () =>
      ({ type: 'AbandonClaim', data: { holds: await isOwn(id), at: context.at } }) as const;
    await commands.handle(Repository, id, command, step(context, `abandon repository ${id}`));
    if (await isOwn(id)) own.push(id);
  }
  return own;
}

/** Deletes repositories of a closing account. Skips those that others deleted, or own, by now. */
export async function deleteOwned(
  repositories: OwnedRepositories,
  ownerId: number,
  repositoryIds: readonly number[],
  context: CommandContext,
): Promise<void> {
  for (const id of repositoryIds) {
    const own = step(context, `delete repository ${id}`);
    await unlessGone(repositories.delete({ repositoryId: id, ownerId }, own));
  }
}
