import type { Git } from '../../git/git.js';
import type { Hash } from '../../git/port/hash.js';
import type { Signature } from '../../git/port/objects.js';
import type { Fill } from './new-repository.js';
import { beginningWith } from './initial-content.js';

/** The content from a template. `author` is also the committer; `defaultBranch` is that of the new repository. */
export interface TemplateContent {
  readonly templateId: number;
  /** The commit whose files are taken. */
  readonly commit: Hash;
  readonly defaultBranch: string;
  readonly author: Signature;
}

/** Creates the repository with the files of a template's commit, as one commit on the default branch, without history. */
export const templateContent =
  (git: Git, { templateId, commit, defaultBranch, author }: TemplateContent): Fill =>
  async (repositoryId) => {
    const facts = await git.commit(templateId, commit);
    if (!facts) throw new Error(`the template ${templateId} has lost its commit ${commit}`);
    const { tree } = facts;
    const first = await git.create(repositoryId, {
      defaultBranch,
      async initial(objects) {
        await objects.copyTree(templateId, tree);
        const message = 'Initial commit\n';
        return objects.writeCommit({ tree, parents: [], author, committer: author, message });
      },
    });
    return beginningWith(defaultBranch, first);
  };
