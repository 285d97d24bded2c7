import { BRANCHES } from '../../domain/repositories/refs.js';
import type { Git } from '../../git/git.js';
import type { CommitFacts, Signature } from '../../git/port/objects.js';
import type { Fill, Filled } from './new-repository.js';

/** A file of the first commit: `path` is relative to the root, with slashes; `content` is written as UTF-8. */
export interface InitialFile {
  readonly path: string;
  readonly content: string;
}

/** Creates the repository empty. */
export const nothingAt =
  (git: Git, defaultBranch: string): Fill =>
  async (repositoryId) =>
    beginningWith(defaultBranch, await git.create(repositoryId, { defaultBranch }));

/** Creates the repository with one commit of these files on the default branch. */
export const firstCommit =
  (git: Git, defaultBranch: string, files: readonly InitialFile[], author: Signature): Fill =>
  async (repositoryId) => {
    const first = await git.create(repositoryId, {
      defaultBranch,
      async initial(objects) {
        const changes = await Promise.all(
          files.map(async ({ path, content }) => {
            const hash = await objects.writeBlob(Buffer.from(content));
            return { kind: 'put', path, mode: '100644', hash } as const;
          }),
        );
        const tree = await objects.writeTree(undefined, changes);
        const message = 'Initial commit\n';
        return objects.writeCommit({ tree, parents: [], author, committer: author, message });
      },
    });
    return beginningWith(defaultBranch, first);
  };

/** Describes a repository with one branch of one commit; with no branch if there is no commit. */
export const beginningWith = (branch: string, first: CommitFacts | undefined): Filled => ({
  refs: new Map(first && [[BRANCHES + branch, first.hash]]),
  ...(first && { first }),
});
