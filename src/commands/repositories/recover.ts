import { settleRefs, type RollingServices } from './roll-forward.js';

/** What crashes left undone of refs that were on the move is done, and forgotten are the locks of dead processes. */
export async function recoverRefs(
  services: RollingServices,
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
