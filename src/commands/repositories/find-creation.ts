import { streamOf } from '../../domain/decider.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import type { RepositoryEvent } from '../../domain/repositories/repository-messages.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { EventLog } from '../../event-log/event-log.js';

/** The event of a repository's creation, as the log has it. */
export type RepositoryCreated = DomainEvent<Extract<RepositoryEvent, { type: 'RepositoryCreated' }>>;

const PAGE = 50;

/**
 * Finds the event of a repository's creation; undefined if it was never created. The stream may be long, but the event
 * is near its beginning, because only the refs that the repository was filled with come before it.
 */
export async function findCreation(
  log: Pick<EventLog, 'readStream'>,
  repositoryId: number,
): Promise<RepositoryCreated | undefined> {
  const stream = streamOf(Repository, repositoryId);
  for (let from = 0; ; from += PAGE) {
    const page = await log.readStream(stream, { from, max: PAGE });
    const created = page.find(({ type }) => type === 'RepositoryCreated');
    if (created || page.length < PAGE) return created as RepositoryCreated | undefined;
  }
}
