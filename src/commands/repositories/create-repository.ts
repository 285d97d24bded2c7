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

/** A creation that was abandoned for its slowness starts again under a new id, at most so often in all. */
const ATTEMPTS = 3;

/**
 * Creates a repository, whatever is put in. Its name is claimed, then it is made on disk, then its bytes are reserved,
 * then its own stream is begun: before that nothing counts, and what a crash leaves is taken over (the name), lapses
 * (the bytes) or is swept (the folder). A refusal leaves nothing. Refuses a name that cannot be, with a conflict one
 * that is taken and a second fork, and as `QuotaExceeded` what the owner has no room for.
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
      const repositoryId = await services.ids.next('repository');
      return new Creation(services, repositoryId, repository, context).run(fill);
    });
  } catch (error) {
    if (!(error instanceof ClaimTaken)) throw error;
    const earlier = await createdBy(context, services.log, error.holderId);
    if (earlier) return earlier;
    throw takenByAnother(error);
  }
}

/** Whoever deletes a base looks for its forks after that, and this looks for the base after the fork: one finds the other. */
async function detachFromWhatIsGone(
  { commands }: RepositoryServices,
  repositoryId: number,
  baseId: number | undefined,
  context: CommandContext,
): Promise<Position> {
  if (baseId === undefined) return START;
  if ((await commands.load(Repository, baseId)).state.status === 'exists') return START;
  const command = { type: 'DetachRepository', data: { at: context.at } } as const;
  return (await commands.handle(Repository, repositoryId, command, step(context, 'detach'))).position;
}

/** The repository that an earlier attempt of this very command created, where its answer was lost. */
export async function createdBefore(
  { log }: Pick<RepositoryServices, 'log'>,
  context: CommandContext,
): Promise<CreatedRepository | undefined> {
  const id = attemptedId(Repository, context);
  return id === undefined ? undefined : createdBy(context, log, Number(id));
}

/** A repository, where it was this very command that created it; undefined where it was another, or there is none. */
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
