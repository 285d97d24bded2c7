import { checked } from '../checked.js';
import { writePackedRefs } from '../disk/packed-refs.js';
import { makeScratch, removeFolder } from '../disk/scratch.js';
import type { Downloads } from '../port/downloads.js';
import type { Parts } from '../parts.js';
import { outputOf } from '../program/output.js';

const WITHIN_MS = 10 * 60 * 1000;
/** The memory limit of `git archive`, which lists all files before it writes the first. */
const LISTING_BYTES = 256 * 1024 ** 2;

/** Settings for reproducible output: git's own gzip gives the same bytes on every machine; gzip(1) would add a time. */
const SAME_BYTES = { 'tar.tar.gz.command': 'git archive gzip', 'pack.threads': '1' };

/** Implements archives and bundles as streams from the git program. */
export function downloadsOf({ layout, program }: Parts): Downloads {
  const options = { config: SAME_BYTES, timeoutMs: WITHIN_MS };
  return {
    async archive(id, commit, format, prefix) {
      const path = await layout.existing(id);
      const args = ['archive', `--format=${format}`, `--prefix=${prefix}/`, checked(commit)];
      const limited = { ...options, memoryBytes: LISTING_BYTES };
      return outputOf(layout, id, await program.start('transport', path, args, limited));
    },

    async bundle(id, commit, branch) {
      const alternate = await layout.existing(id);
      const ref = `refs/heads/${branch}`;
      // A bundle has to contain a ref, which the repository may not have at this commit, so a temporary repository has it.
      const path = await makeScratch(layout, { defaultBranch: branch, alternate });
      const remove = () => void removeFolder(path).catch(() => undefined); // what stays is swept
      try {
        await writePackedRefs(path, new Map([[ref, checked(commit)]]));
        const args = ['bundle', 'create', '--quiet', '--no-progress', '-', 'HEAD', ref];
        const stream = outputOf(layout, id, await program.start('transport', path, args, options));
        return stream.once('close', remove);
      } catch (error) {
        remove();
        throw error;
      }
    },
  };
}
