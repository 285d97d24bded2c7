import { checkExists, checkNotArchived } from '../../domain/repositories/lifecycle.js';
import { Repository, type RepositoryState } from '../../domain/repositories/repository.js';
import type { CommandHandler } from '../handle.js';

/** Loads a repository from its stream. Refuses if it does not exist. */
export async function existing(
  { commands }: { readonly commands: CommandHandler },
  repositoryId: number,
): Promise<RepositoryState> {
  const { state } = await commands.load(Repository, repositoryId);
  checkExists(state);
  return state;
}

/** As `existing`, and refuses also if the repository is archived. */
export async function unarchived(
  services: { readonly commands: CommandHandler },
  repositoryId: number,
): Promise<RepositoryState> {
  const state = await existing(services, repositoryId);
  checkNotArchived(state);
  return state;
}
