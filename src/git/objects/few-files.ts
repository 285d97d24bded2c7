import { join } from 'node:path';
import type { Repository } from 'nodegit';
import { looseBytes } from '../disk/loose.js';
import type { Hash } from '../port/hash.js';

/** A regular file of a commit. */
export interface PlacedFile {
  readonly path: string;
  readonly hash: Hash;
}

/** The maximum number of files and folders; with more, the cost of starting a program hardly matters. */
const FEW = 100;

/** The maximum compressed size of a tree. Decompressed it may be a thousand times as large, and nodegit loads it whole. */
const MAX_BYTES = 8_192;

/**
 * Lists the files of a commit, without links and submodules, and without starting git. Undefined if there are too many, or
 * if a tree might be large, which includes all trees in packs, such as those that clients pushed.
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
