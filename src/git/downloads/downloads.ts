import type { Readable } from 'node:stream';
import { checked } from '../checked.js';
import { writePackedRefs } from '../disk/packed-refs.js';
import { makeScratch, removeFolder } from '../disk/scratch.js';
import type { Downloads } from '../port/downloads.js';
import type { Hash } from '../port/hash.js';
import type { ProgramOptions } from '../port/programs.js';
import type { Parts } from '../parts.js';
import { outputOf } from '../program/output.js';

const WITHIN_MS = 10 * 60 * 1000;
/**
 * The limits of `git archive`, which lists all files before it writes the first. Its CPU time is enough for some gigabytes.
 * Before 2.41, git may take hours to match a path with a pattern of attributes that somebody pushed.
 */
const ARCHIVE_LIMITS = { memoryBytes: 256 * 1024 ** 2, cpuSeconds: 120 };

/**
 * Settings for reproducible output: git's own gzip gives the same bytes on every machine; gzip(1) would add a time. Short
 * hashes, which files may have filled in, would become longer with the repository.
 */
const SAME_BYTES = { 'tar.tar.gz.command': 'git archive gzip', 'pack.threads': '1', 'core.abbrev': '12' };

/** The time that relative dates refer to, where a file has one filled in. */
const SAME_TIME = { GIT_TEST_DATE_NOW: '0' };

/** Implements archives and bundles as streams from the git program. */
export function downloadsOf({ layout, program }: Parts): Downloads {
  const options = { config: SAME_BYTES, env: SAME_TIME, timeoutMs: WITHIN_MS };

  /** Runs git in a temporary repository with the objects of a repository, and with no refs but `refs`. */
  async function aside(
    id: number,
    { defaultBranch = 'main', refs = new Map<string, Hash>() },
    args: readonly string[],
    limits: ProgramOptions = {},
  ): Promise<Readable> {
    const path = await makeScratch(layout, { defaultBranch, alternate: await layout.existing(id) });
    const remove = () => void removeFolder(path).catch(() => undefined); // what stays is swept
    try {
      await writePackedRefs(path, refs);
      const started = await program.start('transport', path, args, { ...options, ...limits });
      return outputOf(layout, id, started).once('close', remove);
    } catch (error) {
      remove();
      throw error;
    }
  }

  return {
    // Files may have names of refs filled in, which are others each time: see gitattributes(5) on export-subst.
    async archive(id, commit, format, prefix) {
      const args = ['archive', `--format=${format}`, `--prefix=${prefix}/`, checked(commit)];
      return aside(id, {}, args, ARCHIVE_LIMITS);
    },

    // A bundle has to contain a ref, which the repository may not have at this commit.
    async bundle(id, commit, branch) {
      const ref = `refs/heads/${branch}`;
      const refs = new Map([[ref, checked(commit)]]);
      const args = ['bundle', 'create', '--quiet', '--no-progress', '-', 'HEAD', ref];
      return aside(id, { defaultBranch: branch, refs }, args);
    },
  };
}
