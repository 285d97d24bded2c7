import { access, constants, stat } from 'node:fs/promises';
import { makeFolder } from './make-folder.js';

/**
 * Creates DATA_DIR, and the folders above it, if they are missing. Others may pass through it but not list it, because
 * PostgreSQL may run as another user, who owns the cluster inside. Rejects with what the operator can do.
 */
export async function makeDataDir(path: string): Promise<void> {
  try {
    await makeFolder(path, 0o711);
    if (!(await stat(path)).isDirectory()) throw new Error('it is no folder');
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `DATA_DIR ${path} cannot be used: ${(error as Error).message}\n` +
        'Set DATA_DIR to a folder that this user may make, or write in.',
      { cause: error },
    );
  }
}
