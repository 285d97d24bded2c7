import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unlessGone, unlessThere } from './presence.js';

/**
 * Creates a folder, and the folders above it, if they are missing. One by one, because node's `recursive` never returns
 * on a file system that takes no folders, such as `/proc`.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await unlessGone(stat(parent)))) await makeFolder(parent, mode);
  await unlessThere(mkdir(path, mode));
}
