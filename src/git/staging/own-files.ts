import { makeScratch, removeFolder } from '../disk/scratch.js';
import { libgit2 } from '../nodegit/libgit2.js';
import { readBlob } from '../objects/blob.js';
import { isGitsOwnFile } from '../objects/path.js';
import type { Parts } from '../parts.js';
import { GitError, GitPathRefused } from '../port/errors.js';
import type { TreeChange } from '../port/staging.js';
import { editTree } from './edit-tree.js';

type Put = TreeChange & { readonly kind: 'put' };

/** The maximum size of such a file. git does not load larger ones (`core.bigFileThreshold`), nor treat them as its own. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Rejects with `GitPathRefused` if a file that git itself reads is one that git refuses in pushes, because clones could
 * then not be pushed elsewhere: if its content is flawed, such as submodules whose addresses are options, or if it is a
 * directory. All of them are checked in a temporary repository, which contains nothing else that git could
 * complain about.
 */
export async function checkOwnFiles(
  { layout, program }: Pick<Parts, 'layout' | 'program'>,
  path: string,
  changes: readonly TreeChange[],
): Promise<void> {
  const puts = changes.filter(isPut);
  const files = puts.filter((put) => put.mode !== '160000' && isLookedAt(nameOf(put.path)));
  const directories = directoriesLookedAt(puts);
  if (files.length === 0 && directories.size === 0) return;
  const aside = await makeScratch(layout);
  const paths = new Map<string, string>();
  try {
    const repository = await libgit2().Repository.openBare(aside);
    const writeBlob = async (content: Buffer) =>
      (await libgit2().Blob.createFromBuffer(repository, content, content.length)).tostrS();
    for (const file of files) {
      const content = (await readBlob(program, path, file.hash, MAX_BYTES))?.content;
      if (!content) throw new GitPathRefused(file.path, 'flawed');
      await writeBlob(content);
      paths.set(file.hash, file.path);
      await editTree(repository, undefined, [{ ...file, path: nameOf(file.path) }]);
    }
    for (const [directory, below] of directories) {
      // It contains its own path, so that no other directory has the same hash.
      const file = { kind: 'put', mode: '100644', hash: await writeBlob(Buffer.from(directory)) } as const;
      paths.set(await editTree(repository, undefined, [{ ...file, path: 'path' }]), below);
      await editTree(repository, undefined, [{ ...file, path: `${nameOf(directory)}/path` }]);
    }
    await program.run(aside, ['fsck', '--no-dangling', '--no-progress']);
  } catch (error) {
    const [, hash = ''] = error instanceof GitError ? (FLAWED.exec(error.message) ?? []) : [];
    const flawed = paths.get(hash);
    throw flawed === undefined ? error : new GitPathRefused(flawed, 'flawed');
  } finally {
    await removeFolder(aside);
  }
}

const FLAWED = /error in (?:blob|tree) ([0-9a-f]{40}):/;

const isPut = (change: TreeChange): change is Put => change.kind === 'put';

/** Tells whether git checks the content of files with this name; it accepts any `.gitignore`. */
const isLookedAt = (name: string): boolean => isGitsOwnFile(name) && name !== '.gitignore';

/** Returns the directories whose names are those of such files, each with one of the paths below it. */
function directoriesLookedAt(puts: readonly Put[]): ReadonlyMap<string, string> {
  const directories = new Map<string, string>();
  for (const { path } of puts) {
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
      const directory = path.slice(0, end);
      if (isLookedAt(nameOf(directory))) directories.set(directory, path);
    }
  }
  return directories;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
