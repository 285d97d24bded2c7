import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unlessGone, unlessThere } from './presence.js';

/**
 * Makes the folder, and those above it, where they are missing. One by one: node's own way (`recursive`) never ends where
 * a file system takes no folders, as `/proc`.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await unlessGone(stat(parent)))) await makeFolder(parent, mode);
  await unlessThere(mkdir(path, mode));
}
