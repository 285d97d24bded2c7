import { Organization } from '../../domain/organizations/organization.js';
import { Repository } from '../../domain/repositories/repository.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import { handleInSteps } from '../handle-in-steps.js';
import type { CommandHandler } from '../handle.js';

/**
 * Takes those of the repositories from the teams of an organization that it does not own (any more). A transfer calls
 * this afterwards, because a team may have been given the repository meanwhile.
 */
export async function detachForeign(
  commands: CommandHandler,
  organizationId: number,
  repositoryIds: readonly number[],
  context: CommandContext,
): Promise<Position> {
  let last = START;
  for (const repositoryId of repositoryIds) {
    if (await isOwnedBy(commands, organizationId, repositoryId)) continue;
    const own = step(context, `detach ${repositoryId}`);
    last = later(last, await detachUnlessOwned(commands, organizationId, repositoryId, own));
  }
  return last;
}

/**
 * Takes a repository from the teams of an organization, however many have it, unless it owns the repository (again). Every
 * try looks anew: a repository that comes back is given to teams by an append to the same stream, which makes this one try
 * again.
 */
export function detachUnlessOwned(
  commands: CommandHandler,
  organizationId: number,
  repositoryId: number,
  context: CommandContext,
): Promise<Position> {
  const detach = async () => {
    const isOwned = await isOwnedBy(commands, organizationId, repositoryId);
    return { type: 'DetachRepository', data: { repositoryId, isOwned, at: context.at } } as const;
  };
  return handleInSteps(commands, Organization, organizationId, detach, { context, name: 'detach' });
}

async function isOwnedBy(commands: CommandHandler, ownerId: number, repositoryId: number): Promise<boolean> {
  return (await commands.load(Repository, repositoryId)).state.ownerId === ownerId;
}
