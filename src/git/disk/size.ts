import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eachOf } from '../../each-of.js';
import { unlessGone } from '../../presence.js';

/** How many files are asked for at a time. */
const CONCURRENCY = 16;

/** What git calls the folder of objects that a push brings, before it takes them in. */
const QUARANTINE = 'tmp_objdir-';

/** A pack is kept by one while the push that brought it is under way. */
const KEEP = '.keep';

/** Whether a push has something for its own time alone. Refs are called what people like, such as `refs/heads/x.keep`. */
const isOfAPush = (root: string, folder: string, { name }: Dirent): boolean =>
  (name.startsWith(QUARANTINE) || name.endsWith(KEEP)) && !`${folder}/`.startsWith(`${join(root, 'refs')}/`);

/**
 * Bytes of all regular files below a folder, but for those that `isLeftOut` by their path. What a push leaves for its own
 * time does not count, nor what vanishes.
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
