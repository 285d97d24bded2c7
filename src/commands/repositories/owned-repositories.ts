import { Repository } from '../../domain/repositories/repository.js';
import type { Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessGone } from '../unless-refused.js';
import type { RepositoryDeletion } from './delete-repository.js';

/** What becomes of the repositories of an account that is deleted. */
export interface OwnedRepositories {
  /** Those that are, or may come to be, the account's, once everything up to the position counts. */
  readonly of: (ownerId: number, position: Position) => Promise<readonly number[]>;
  readonly delete: (repository: RepositoryDeletion, context: CommandContext) => Promise<unknown>;
}

/**
 * Of repositories that claimed a name with an account that is closing, those that are its own. The others never will be:
 * whoever is at it still starts again and finds out, and what crashed leaves nothing that counts.
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

/** Deletes repositories of an account that is closing; one that somebody else deleted or took meanwhile is passed over. */
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
