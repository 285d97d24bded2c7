import { join } from 'node:path';
import type { Repository } from 'nodegit';
import { looseBytes } from '../disk/loose.js';
import type { Hash } from '../port/hash.js';

/** A regular file of a commit. */
export interface PlacedFile {
  readonly path: string;
  readonly hash: Hash;
}

/** Beyond so many files and folders, starting a program is little of what listing them takes. */
const FEW = 100;

/** Of a tree on disk: packed as well as can be, it is a thousand times that, which nodegit holds whole. */
const MAX_BYTES = 8_192;

/**
 * The files of a commit, links and submodules left out, without starting git. Undefined where there are more than a few,
 * or where a tree might be large: as those that are in packs, which is all that clients push.
 */
export async function fewFiles(
  path: string,
  repository: Repository,
  commit: Hash,
): Promise<PlacedFile[] | undefined> {
  const files: PlacedFile[] = [];
  let seen = 0;

  const take = async (hash: Hash, folder: string): Promise<boolean> => {
    const bytes = await looseBytes(join(path, 'objects'), hash);
    if (bytes === undefined || bytes > MAX_BYTES) return false;
    const tree = await repository.getTree(hash);
    seen += tree.entryCount();
    if (seen > FEW) return false;
    for (const entry of tree.entries()) {
      const place = folder + entry.name();
      if (entry.isTree()) {
        if (!(await take(entry.sha(), `${place}/`))) return false;
      } else if (entry.isFile()) files.push({ path: place, hash: entry.sha() });
    }
    return true;
  };
  const found = await repository.getCommit(commit);
  return (await take(found.treeId().tostrS(), '')) ? files : undefined;
}
