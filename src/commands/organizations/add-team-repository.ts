import { notFound } from '../../domain/errors.js';
import { Organization, type OrganizationEvent } from '../../domain/organizations/organization.js';
import { Repository } from '../../domain/repositories/repository.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler, Handled } from '../handle.js';

/**
 * Gives a team a repository of its organization; resolves without events if it has that already. A transfer takes the
 * repository from the teams after it has a new owner, and this checks the owner after the team has it, so one of the two
 * notices the other: no team keeps a repository that is not its organization's.
 */
export async function addTeamRepository(
  commands: CommandHandler,
  { organizationId, teamId, repositoryId }: { organizationId: number; teamId: number; repositoryId: number },
  context: CommandContext,
): Promise<Handled<OrganizationEvent>> {
  const { at } = context;
  const add = { type: 'AddTeamRepositories', data: { teamId, repositoryIds: [repositoryId], at } } as const;
  const added = await commands.handle(Organization, organizationId, add, context);
  const { status, ownerId } = (await commands.load(Repository, repositoryId)).state;
  if (status === 'exists' && ownerId === organizationId) return added;
  const remove = { type: 'RemoveTeamRepository', data: { teamId, repositoryId, at } } as const;
  await commands.handle(Organization, organizationId, remove, step(context, 'undo'));
  throw notFound('repository.absent', 'no such repository');
}
