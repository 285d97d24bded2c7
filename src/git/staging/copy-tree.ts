import { join, relative } from 'node:path';
import { checked } from '../checked.js';
import { GitError } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { GitProgram } from '../program/git-program.js';

const WITHIN_MS = 10 * 60 * 1000;

/** See `ObjectWriter.copyTree`. One program reads the tree among the objects of the base, and writes it as one pack. */
export async function copyTree(
  program: GitProgram,
  { base, tree, path }: { readonly base: string; readonly tree: Hash; readonly path: string },
): Promise<void> {
  const root = checked(tree);
  const args = ['pack-objects', '--revs', '--quiet', 'objects/pack/pack'];
  const { stdin, stdout, ended } = await program.start('transport', path, args, {
    // A list, in which the colon of a whole path would end it.
    env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: relative(path, join(base, 'objects')) },
    timeoutMs: WITHIN_MS,
  });
  stdin.end(`${root}\n`);
  stdout.resume();
  const { code, stderr } = await ended;
  if (code !== 0) throw new GitError(`a tree could not be copied: ${stderr.trim()}`);
}
