import { Organization } from '../../domain/organizations/organization.js';
import { Repository } from '../../domain/repositories/repository.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/**
 * Takes a repository from the teams of an organization that does not own it (any more). A transfer calls this afterwards,
 * because a team may have been given the repository meanwhile.
 */
export async function detachForeign(
  commands: CommandHandler,
  organizationId: number,
  repositoryIds: readonly number[],
  context: CommandContext,
): Promise<Position> {
  let last = START;
  for (const repositoryId of repositoryIds) {
    if ((await commands.load(Repository, repositoryId)).state.ownerId === organizationId) continue;
    const detach = {
      type: 'DetachRepository',
      data: { repositoryId, isOwned: false, at: context.at },
    } as const;
    const own = step(context, `detach ${repositoryId}`);
    last = later(last, (await commands.handle(Organization, organizationId, detach, own)).position);
  }
  return last;
}
