import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Waits until a file or the entries of a folder are on the disk. */
export async function fsync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts a file in place of another, whole or not at all, down to the disk. Refuses with EEXIST where another does so. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const lock = `${path}.lock`;
  const handle = await open(lock, 'wx');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(lock, path);
  await fsync(dirname(path));
}
