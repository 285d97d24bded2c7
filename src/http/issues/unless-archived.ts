import { unarchived } from '../../commands/repositories/existing.js';
import type { RepositoryMet } from '../repositories/place.js';
import type { Services } from '../services.js';

interface Changing {
  readonly services: Pick<Services, 'commands'>;
  readonly parent: Pick<RepositoryMet, 'repository'>;
}

/**
 * Makes a command for issues, labels or milestones of a repository, or refuses if the repository is archived or deleted by
 * the log, which the read models may not show yet.
 */
export const unlessArchived =
  <Command extends object>(
    { services, parent }: Changing,
    command: Command | (() => Promise<Command>),
  ): (() => Promise<Command>) =>
  async () => {
    await unarchived(services, parent.repository.id);
    return typeof command === 'function' ? command() : command;
  };
