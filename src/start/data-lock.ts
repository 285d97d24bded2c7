import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock, type FileLock } from '../files/file-lock.js';

/** Another supervisor serves this `DATA_DIR`. */
class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

/** The lock file in `DATA_DIR`, locked by the process that serves it. The file is never removed. */
export const DATA_LOCK = 'start.lock';

const PATIENCE_MS = 5_000;

/**
 * Locks `dataDir` for the only process that may serve it. Retries for some seconds, because the children of a killed
 * supervisor need a moment to end. Rejects with `AlreadyRunning`.
 */
export async function lockData(dataDir: string): Promise<FileLock> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const lock = tryLock(join(dataDir, DATA_LOCK));
    if (lock) return lock;
    if (performance.now() > deadline) {
      throw new AlreadyRunning(
        `another npm start serves ${dataDir}: stop it, or set another DATA_DIR and PORT`,
      );
    }
    await sleep(50);
  }
}
