import type { RepositoryLocks } from './repository-locks.js';
import { settleRefs, type RollingServices } from './roll-forward.js';

/** Completes moves of refs that crashes interrupted, and removes locks of dead processes. Reports failures to `onError`. */
export async function recoverRefs(
  services: RollingServices & { readonly repositoryLocks: RepositoryLocks },
  onError: (error: unknown, repositoryId: number) => void,
): Promise<void> {
  const { repositoryLocks } = services;
  await repositoryLocks.sweep();
  for (const repositoryId of await repositoryLocks.pending.ids()) {
    try {
      await settleRefs(services, repositoryId);
    } catch (error) {
      onError(error, repositoryId);
    }
  }
}
