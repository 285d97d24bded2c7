import { BRANCHES } from '../../domain/repositories/refs.js';
import type { Git } from '../../git/git.js';
import type { Hash } from '../../git/port/hash.js';
import type { Signature } from '../../git/port/objects.js';
import type { Fill } from './create-repository.js';

export interface InitialFile {
  readonly path: string;
  readonly content: string;
}

/** Puts nothing in. */
export const nothingAt =
  (git: Git, defaultBranch: string): Fill =>
  async (repositoryId) => {
    await git.create(repositoryId, { defaultBranch });
    return { refs: new Map() };
  };

/** Puts one commit of these files on the default branch. */
export const firstCommit =
  (git: Git, defaultBranch: string, files: readonly InitialFile[], author: Signature): Fill =>
  async (repositoryId) => {
    const refs = new Map<string, Hash>();
    await git.create(repositoryId, {
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
        const hash = await objects.writeCommit({ tree, parents: [], author, committer: author, message });
        refs.set(BRANCHES + defaultBranch, hash);
        return hash;
      },
    });
    return { refs };
  };
