import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the paths of all files below a folder, and of no folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name));
}
