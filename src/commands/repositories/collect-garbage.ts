import { Repository } from '../../domain/repositories/repository.js';
import { GitRepositoryMissing } from '../../git/port/errors.js';
import { countStorage, withRefs, type RollingServices } from './roll-forward.js';

/** What a repository took, and takes now. */
export interface Collected {
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * Packs a repository anew, drops what nothing has reached for two weeks, and counts what it takes then; undefined where
 * it is not there. Refs may move meanwhile, but for the moment in which they are packed.
 */
export async function collectGarbage(
  services: RollingServices,
  repositoryId: number,
  signal?: AbortSignal,
): Promise<Collected | undefined> {
  const { commands, git, repositoryLocks } = services;
  if ((await commands.load(Repository, repositoryId)).state.status !== 'exists') return undefined;
  try {
    const before = await git.sizeOf(repositoryId);
    await git.gc(repositoryId, signal && { signal });
    return await withRefs(services, repositoryId, async () => {
      await repositoryLocks.pending.note(repositoryId);
      await git.packRefs(repositoryId);
      const { bytes } = await countStorage(services, repositoryId);
      await repositoryLocks.pending.clear(repositoryId);
      return { before, after: bytes };
    });
  } catch (error) {
    if (error instanceof GitRepositoryMissing) return undefined;
    throw error;
  }
}
