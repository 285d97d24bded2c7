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
 * Rejects with `GitPathRefused` if a file that git itself reads has content that git refuses in pushes, such as submodules
 * whose addresses are options, because clones could then not be pushed elsewhere. The files are checked in a temporary
 * repository, which contains nothing else that git could complain about.
 */
export async function checkOwnFiles(
  { layout, program }: Pick<Parts, 'layout' | 'program'>,
  path: string,
  changes: readonly TreeChange[],
): Promise<void> {
  const files = changes.filter(isLookedAt);
  if (files.length === 0) return;
  const aside = await makeScratch(layout);
  try {
    const repository = await libgit2().Repository.openBare(aside);
    for (const file of files) {
      const content = (await readBlob(program, path, file.hash, MAX_BYTES))?.content;
      if (!content) throw new GitPathRefused(file.path, 'flawed');
      await libgit2().Blob.createFromBuffer(repository, content, content.length);
      await editTree(repository, undefined, [{ ...file, path: nameOf(file) }]);
    }
    await program.run(aside, ['fsck', '--no-dangling', '--no-progress']);
  } catch (error) {
    const [, hash] = error instanceof GitError ? (FLAWED.exec(error.message) ?? []) : [];
    const flawed = files.find((file) => file.hash === hash);
    throw flawed ? new GitPathRefused(flawed.path, 'flawed') : error;
  } finally {
    await removeFolder(aside);
  }
}

const FLAWED = /error in blob ([0-9a-f]{40}):/;

/** Tells whether git checks the content of this file; it accepts any `.gitignore`. */
const isLookedAt = (change: TreeChange): change is Put =>
  change.kind === 'put' &&
  change.mode !== '160000' &&
  isGitsOwnFile(nameOf(change)) &&
  nameOf(change) !== '.gitignore';

const nameOf = ({ path }: TreeChange) => path.slice(path.lastIndexOf('/') + 1);
