import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the folder, and those above it, where they are missing. Open to pass through for the user that PostgreSQL runs
 * as, who owns the cluster inside; closed to look into. Rejects with what an operator can do.
 */
export async function makeDataDir(path: string): Promise<void> {
  try {
    await make(path);
    if (!(await stat(path)).isDirectory()) throw new Error('it is no folder');
  } catch (error) {
    throw new Error(
      `DATA_DIR ${path} cannot be used: ${(error as Error).message}\n` +
        'Set DATA_DIR to a folder that this user may make, or write in.',
      { cause: error },
    );
  }
}

/** One by one: node's own way (`recursive`) never ends where a file system takes no folders, as `/proc`. */
async function make(path: string): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await unless('ENOENT', stat(parent)))) await make(parent);
  await unless('EEXIST', mkdir(path, 0o711));
}

/** What comes of `work`; nothing where it fails with that code. */
async function unless<T>(code: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return undefined;
  }
}
