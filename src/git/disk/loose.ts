import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The loose objects of a folder of objects, as paths below it: `1f/…`. */
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

/** The folders that loose objects lie in, below a folder of objects. */
export const looseFolders = async (objects: string) =>
  (await readdir(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name));
