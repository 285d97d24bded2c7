import { deleteRepository, type RepositoryDeletion } from '../../commands/repositories/delete-repository.js';
import type { CommandContext } from '../../commands/context.js';
import type { Position } from '../../event-store/event-store.js';
import type { Actions } from '../actions.js';
import { forksOf } from './forks-of.js';

/** Deletes a repository, and the archives of it that are kept. */
export async function deleteWithArchives(
  request: Pick<Actions, 'db' | 'services' | 'wrote'>,
  deletion: RepositoryDeletion,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  const { services } = request;
  const deleted = await deleteRepository({ ...services, forksOf: forksOf(request) }, deletion, context);
  await services.archives.forget(deletion.repositoryId);
  return deleted;
}
