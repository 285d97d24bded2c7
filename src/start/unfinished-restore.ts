import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The note in `DATA_DIR` that exists while a back-up is being restored there. */
export const UNFINISHED_RESTORE = 'restore.unfinished';

/** Throws if a restore was interrupted, because `DATA_DIR` is incomplete then. */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (existsSync(join(dataDir, UNFINISHED_RESTORE)))
    throw new Error(
      `${dataDir} holds a part of a back-up: where no restore is running, empty it (and its database), and restore again`,
    );
}
