import { subjectOf } from '../../domain/quota/subjects.js';
import { ABANDONED } from '../../domain/repositories/lifecycle.js';
import { checkRepositoryName } from '../../domain/repositories/names.js';
import { Repository } from '../../domain/repositories/repository.js';
import type { EventLog } from '../../event-log/event-log.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { ClaimTaken } from '../claims.js';
import { step, type CommandContext } from '../context.js';
import { attemptedId } from '../repeated.js';
import { whileOvertaken } from '../while-overtaken.js';
import { Creation } from './creation.js';
import { findCreation } from './find-creation.js';
import type { CreatedRepository, Fill, NewRepository, RepositoryServices } from './new-repository.js';
import { takenByAnother } from './repository-claims.js';

/** How often a creation is tried in all. One that was abandoned for being too slow starts again under a new id. */
const ATTEMPTS = 3;

/**
 * Creates a repository and fills it by `fill`. The steps are: claim the name, make the repository on disk, reserve its
 * bytes, begin its stream. Nothing counts before the last one. After a crash, the name is taken over by the next one
 * that wants it, the reservation lapses, and the folder is swept; after a refusal, all steps are undone. Refuses an
 * invalid name; with `QuotaExceeded`, if the owner has no room; and with a conflict, a name that is taken or a second
 * fork, once there is room.
 */
export async function createRepository(
  services: RepositoryServices,
  repository: NewRepository,
  fill: Fill,
  context: CommandContext,
): Promise<CreatedRepository> {
  checkRepositoryName(repository.name);
  const created = await createOnce(services, repository, fill, context);
  const detached = await detachFromWhatIsGone(services, created.repositoryId, repository.baseId, context);
  return { ...created, position: later(created.position, detached) };
}

async function createOnce(
  services: RepositoryServices,
  repository: NewRepository,
  fill: Fill,
  context: CommandContext,
): Promise<CreatedRepository> {
  const before = await createdBefore(services, context);
  if (before) return before;
  try {
    return await whileOvertaken([ABANDONED], ATTEMPTS, async () => {
      const repositoryId = await nextId(services);
      return new Creation(services, repositoryId, repository, context).run(fill);
    });
  } catch (error) {
    if (!(error instanceof ClaimTaken)) throw error;
    const earlier = await createdBy(context, services.log, error.holderId);
    if (earlier) return earlier;
    const own = step(context, 'check room before the name');
    await services.storage.checkRoom(repository.ownerId, subjectOf(repository), own);
    throw takenByAnother(error);
  }
}

/**
 * Returns an id that no repository on disk has. One that is there under an id still to come is of another log, or of
 * events that the log has lost; it stays where it is.
 */
async function nextId({ ids, git }: Pick<RepositoryServices, 'ids' | 'git'>): Promise<number> {
  for (;;) {
    const id = await ids.next('repository');
    if (!(await git.exists(id))) return id;
  }
}

/**
 * Detaches a new fork whose base was deleted meanwhile. The deletion looks for forks after it deleted the base, and
 * this looks for the base after it created the fork, so that at least one of them notices the other. Can safely be
 * repeated.
 */
export async function detachFromWhatIsGone(
  { commands }: Pick<RepositoryServices, 'commands'>,
  repositoryId: number,
  baseId: number | undefined,
  context: CommandContext,
): Promise<Position> {
  if (baseId === undefined) return START;
  if ((await commands.load(Repository, baseId)).state.status === 'exists') return START;
  const command = { type: 'DetachRepository', data: { at: context.at } } as const;
  return (await commands.handle(Repository, repositoryId, command, step(context, 'detach'))).position;
}

/** Finds the repository that an earlier attempt of the same command created, whose answer was lost; undefined if none. */
export async function createdBefore(
  { log }: Pick<RepositoryServices, 'log'>,
  context: CommandContext,
): Promise<CreatedRepository | undefined> {
  const id = attemptedId(Repository, context);
  return id === undefined ? undefined : createdBy(context, log, Number(id));
}

/** Returns the repository if this very command created it; undefined if another one did, or if it does not exist. */
async function createdBy(
  { commandId, repeatable }: CommandContext,
  log: EventLog,
  repositoryId: number,
): Promise<CreatedRepository | undefined> {
  if (!repeatable) return undefined;
  const created = await findCreation(log, repositoryId);
  if (created?.metadata.$causationId !== commandId) return undefined;
  return { repositoryId, position: created.position };
}
