import { streamOf } from '../../domain/decider.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import type { RepositoryEvent } from '../../domain/repositories/repository-messages.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { EventLog } from '../../event-log/event-log.js';

/** The event by which a repository came to be, as the log has it. */
export type RepositoryCreated = DomainEvent<Extract<RepositoryEvent, { type: 'RepositoryCreated' }>>;

const PAGE = 50;

/**
 * The event by which a repository came to be; undefined where it never did. It stands near the beginning of a stream that
 * may be long: only what fills a repository comes before.
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
