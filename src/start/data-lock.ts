import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock, type FileLock } from '../file-lock.js';

/** Another supervisor serves this `DATA_DIR`. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

/** In `DATA_DIR`; locked by who serves it, and there for good. */
export const DATA_LOCK = 'start.lock';

const PATIENCE_MS = 5_000;

/**
 * The right to serve `dataDir`. Waits a moment, because the children of a supervisor that was killed need one to end.
 * Rejects with `AlreadyRunning`.
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
