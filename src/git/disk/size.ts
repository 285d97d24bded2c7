import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eachOf } from '../../concurrency/each-of.js';
import { unlessGone } from '../../files/presence.js';

/** How many files are measured concurrently. */
const CONCURRENCY = 16;

/** The prefix of the folder in which git quarantines the objects of a push. */
export const QUARANTINE = 'tmp_objdir-';

/** The suffix of files that protect a pack from repacking while its push is under way. */
const KEEP = '.keep';

/** The prefix of the file in which git notes where the history ends that a push from a shallow clone has. */
const SHALLOW = 'shallow_';

/** Tells whether an entry is a temporary one of a push. Refs are excluded, as they may have names such as `x.keep`. */
const isOfAPush = (root: string, folder: string, { name }: Dirent): boolean =>
  (name.startsWith(QUARANTINE) || name.endsWith(KEEP) || name.startsWith(SHALLOW)) &&
  !`${folder}/`.startsWith(`${join(root, 'refs')}/`);

/**
 * Adds up the bytes of all regular files below a folder, except those for which `isLeftOut` is true. Temporary files of
 * pushes do not count, nor files that vanish meanwhile.
 */
export async function bytesBelow(
  folder: string,
  isLeftOut: (file: string) => boolean = () => false,
): Promise<bigint> {
  let bytes = 0n;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const here = next;
    const found = (await unlessGone(readdir(here, { withFileTypes: true }))) ?? [];
    const entries = found.filter((entry) => !isOfAPush(folder, here, entry));
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(here, entry.name));
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(here, name))
      .filter((file) => !isLeftOut(file));
    await eachOf(files, CONCURRENCY, async (file) => {
      const facts = await unlessGone(lstat(file, { bigint: true }));
      bytes += facts?.size ?? 0n;
    });
  }
  return bytes;
}
