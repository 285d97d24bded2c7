import { formatCommit, parseCommitText } from '../objects/commit-text.js';
import { formatTag } from '../objects/tag-text.js';
import { unlessRemoved } from '../missing.js';
import type { Parts } from '../parts.js';
import type { ObjectWriter } from '../port/staging.js';
import { libgit2 } from '../nodegit/libgit2.js';
import { COMMIT, TAG } from '../nodegit/numbers.js';
import { copyTree } from './copy-tree.js';
import { editTree } from './edit-tree.js';
import { checkOwnFiles } from './own-files.js';
import { checkTreeSizes } from './tree-sizes.js';

/** Opens a writer of objects into a repository. They are not synced to disk; that is left to the caller. */
export async function objectWriter(
  { layout, program }: Pick<Parts, 'layout' | 'program'>,
  path: string,
): Promise<ObjectWriter> {
  const repository = await libgit2().Repository.openBare(path);
  const odb = await repository.odb();
  const write = async (text: string, type: typeof COMMIT | typeof TAG) =>
    // nodegit's types say Buffer, but it takes a string, whose UTF-8 it writes.
    (await odb.write(text as unknown as Buffer, Buffer.byteLength(text), type)).tostrS();
  return {
    async writeBlob(content) {
      const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      return (await libgit2().Blob.createFromBuffer(repository, buffer, buffer.length)).tostrS();
    },
    async writeTree(base, changes) {
      if (base !== undefined) await checkTreeSizes(program, path, base, changes);
      const tree = await editTree(repository, base, changes);
      await checkOwnFiles({ layout, program }, path, changes);
      return tree;
    },
    async writeCommit(commit) {
      const text = formatCommit(commit);
      return parseCommitText(await write(text, COMMIT), text);
    },
    writeTag: (tag) => write(formatTag(tag), TAG),
    async copyTree(from, tree) {
      const base = await layout.existing(from);
      await unlessRemoved(layout, from, () => copyTree(program, { base, tree, path }));
    },
  };
}
