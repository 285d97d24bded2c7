import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A note in `DATA_DIR` for as long as a back-up is being restored there. */
export const UNFINISHED_RESTORE = 'restore.unfinished';

/** Throws where a restore was cut off: what is there is a part of something. */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (existsSync(join(dataDir, UNFINISHED_RESTORE)))
    throw new Error(
      `${dataDir} holds a part of a back-up: where no restore is running, empty it (and its database), and restore again`,
    );
}
