import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessGone } from '../../files/presence.js';
import type { Hash } from '../port/hash.js';

/** Lists the loose objects in a repository's folder `objects`, as paths below it: `1f/…`. */
export async function looseObjects(objects: string): Promise<string[]> {
  const names = await Promise.all(
    (await looseFolders(objects)).map(async (folder) =>
      (await readdir(join(objects, folder)))
        .filter((name) => /^[0-9a-f]{38}$/.test(name))
        .map((name) => join(folder, name)),
    ),
  );
  return names.flat();
}

/** Returns the compressed size in bytes of a loose object; undefined if the object is not loose. */
export async function looseBytes(objects: string, hash: Hash): Promise<number | undefined> {
  const facts = await unlessGone(stat(join(objects, hash.slice(0, 2), hash.slice(2))));
  return facts?.size;
}

/** Lists the folders of loose objects in a repository's folder `objects`. */
export const looseFolders = async (objects: string) =>
  (await readdir(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name));
