import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessGone } from '../../files/presence.js';

const PACK = '.pack';
/** The ending of what git keeps beside a pack of garbage: the age of each object in it. */
const AGES = '.mtimes';

/** The folder of a repository's packs. */
export const packFolder = (path: string): string => join(path, 'objects', 'pack');

/** Lists the files in that folder by name; none if it is missing. */
export const packFiles = async (path: string): Promise<string[]> =>
  (await unlessGone(readdir(packFolder(path)))) ?? [];

/** The names of a repository's packs. */
export interface Packs {
  /** Those that stay until all they hold is in another pack. */
  readonly lasting: readonly string[];
  /** Those of what nothing reaches, of which `gc` may drop any object at any moment. */
  readonly garbage: readonly string[];
}

/** Lists the packs of a repository. */
export async function packsOf(path: string): Promise<Packs> {
  const names = await packFiles(path);
  const garbage = names
    .filter((name) => name.endsWith(AGES))
    .map((name) => `${name.slice(0, -AGES.length)}${PACK}`);
  const lasting = names.filter((name) => name.endsWith(PACK) && !garbage.includes(name));
  return { lasting, garbage };
}
