import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fsync } from './durable.js';
import { unlessGone, unlessThere } from './presence.js';

/**
 * Creates a folder, and the folders above it, durably, if they are missing. One by one, because node's `recursive` never
 * returns on a file system that takes no folders, such as `/proc`.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await unlessGone(stat(parent)))) await makeFolder(parent, mode);
  if (await unlessThere(mkdir(path, mode).then(() => true))) await fsync(parent);
}
