import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { eachOf } from '../../concurrency/each-of.js';
import { exists, unlessThere } from '../../files/presence.js';
import { fsync } from '../../files/durable.js';
import { looseFolders } from '../disk/loose.js';

/** How many files are moved concurrently. */
const CONCURRENCY = 8;

/**
 * Moves all objects from one folder `objects` to another on the same disk, durably. Rejects with ENOENT if the target has
 * been removed.
 */
export async function moveObjects(from: string, to: string): Promise<void> {
  for (const folder of await looseFolders(from)) {
    const made = await unlessThere(mkdir(join(to, folder)).then(() => true));
    await moveFiles(join(from, folder), join(to, folder), await readdir(join(from, folder)));
    if (made) await fsync(to);
  }
  const packs = (await readdir(join(from, 'pack'))).filter((name) => /^pack-.*\.(pack|rev|idx)$/.test(name));
  const [indexes, others] = [packs.filter(isIndex), packs.filter((name) => !isIndex(name))];
  if (packs.length === 0) return;
  await moveFiles(join(from, 'pack'), join(to, 'pack'), others);
  // Last, because git takes a pack for whole as soon as its index is there.
  await moveFiles(join(from, 'pack'), join(to, 'pack'), indexes);
}

async function moveFiles(from: string, to: string, names: readonly string[]): Promise<void> {
  await eachOf(names, CONCURRENCY, async (name) => {
    if (await exists(join(to, name))) return; // the same object: it is named by its content
    await fsync(join(from, name));
    await rename(join(from, name), join(to, name));
  });
  await fsync(to);
}

const isIndex = (name: string) => name.endsWith('.idx');
