import { Repository } from '../../domain/repositories/repository.js';
import { GitRepositoryMissing } from '../../git/port/errors.js';
import { systemCommand } from '../context.js';
import { countAlone, countStorage } from './count-storage.js';
import { withRefs, type RollingServices } from './roll-forward.js';

/** The bytes that a repository took before and takes now. */
export interface Collected {
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * Repacks a repository, drops objects that have been unreachable for two weeks, and records the size that it has then.
 * Returns undefined if the repository does not exist. Refs may move meanwhile, except while they are packed themselves.
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
    await git.gc(repositoryId, signal && { signal }).catch(async (error: unknown) => {
      // It may have removed files before it failed, or have done all of its work if nobody knows how it ended.
      if (!(error instanceof GitRepositoryMissing))
        await countAlone(services, repositoryId, systemCommand()).catch(() => undefined);
      throw error;
    });
    return await withRefs(services, repositoryId, async () => {
      await repositoryLocks.pending.note(repositoryId);
      await git.packRefs(repositoryId);
      const { bytes } = await countStorage(services, repositoryId, systemCommand());
      await repositoryLocks.pending.clear(repositoryId);
      return { before, after: bytes };
    });
  } catch (error) {
    if (error instanceof GitRepositoryMissing) return undefined;
    throw error;
  }
}
