import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the folder, and those above it, where they are missing. One by one: node's own way (`recursive`) never ends where
 * a file system takes no folders, as `/proc`.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await unless('ENOENT', stat(parent)))) await makeFolder(parent, mode);
  await unless('EEXIST', mkdir(path, mode));
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
