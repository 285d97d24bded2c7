import type { Repository, Tree } from 'nodegit';
import type { Hash } from '../port/hash.js';

/** A regular file of a commit. */
export interface PlacedFile {
  readonly path: string;
  readonly hash: Hash;
}

/** Beyond so many files and folders, starting a program is little of what listing them takes. */
const FEW = 100;

/** The files of a commit, links and submodules left out, without starting git. Undefined where there are more than a few. */
export async function fewFiles(repository: Repository, commit: Hash): Promise<PlacedFile[] | undefined> {
  const files: PlacedFile[] = [];
  let seen = 0;

  const take = async (tree: Tree, folder: string): Promise<boolean> => {
    seen += tree.entryCount();
    if (seen > FEW) return false;
    for (const entry of tree.entries()) {
      const path = folder + entry.name();
      if (entry.isTree()) {
        if (!(await take(await entry.getTree(), `${path}/`))) return false;
      } else if (entry.isFile()) files.push({ path, hash: entry.sha() });
    }
    return true;
  };
  const found = await repository.getCommit(commit);
  return (await take(await found.getTree(), '')) ? files : undefined;
}
