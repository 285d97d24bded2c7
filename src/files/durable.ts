import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Syncs a file, or the entries of a folder, to disk. */
export async function fsync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces a file atomically and durably. Rejects with EEXIST if another process is replacing it. */
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
