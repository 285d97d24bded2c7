import { once } from 'node:events';
import { eachOf } from '../../concurrency/each-of.js';
import { inParts } from '../../values/in-parts.js';
import { checked } from '../checked.js';
import { GitError } from '../port/errors.js';
import { EMPTY_TREE, type Hash } from '../port/hash.js';
import type { Changes, History } from '../port/history.js';
import type { Objects } from '../port/objects.js';
import { isReadablePath } from '../objects/path.js';
import { timeOf } from '../objects/signature.js';
import type { Parts } from '../parts.js';
import { outputOf } from '../program/output.js';
import { NUL, textsIn } from '../program/records.js';
import { changesOfEach } from './changes.js';
import { lastCommits } from './last-commits.js';
import { Walks } from './walk.js';

/** How many commits one program compares, and how many such programs run concurrently for one caller. */
const COMPARED_AT_ONCE = 10;
const COMPARING = 4;

const NO_CHANGES: Changes = { files: [], total: 0, additions: 0, deletions: 0 };

const DIFF_MS = 5 * 60 * 1000;

/** Implements walks over commits and their differences with the git program, limited in time. */
export function historyOf({ layout, program }: Parts, objects: Pick<Objects, 'commit' | 'commits'>): History {
  const walks = new Walks(program);

  /** Returns the first parent of a commit, or the empty tree for a root commit. */
  const beforeOf = async (id: number, hash: Hash): Promise<Hash> => {
    const commit = await objects.commit(id, hash);
    if (!commit) throw new GitError(`${hash} is no commit of repository ${id}`);
    return commit.parents[0] ?? EMPTY_TREE;
  };

  /** Tells whether the parents of a commit are exactly `bases`, at most one: then there is nothing to walk over. */
  const standsOn = async (id: number, commit: Hash, bases: readonly Hash[]): Promise<boolean> => {
    if (bases.length > 1) return false;
    const { parents } = (await objects.commit(id, commit)) ?? {};
    return parents?.length === bases.length && parents[0] === bases[0];
  };

  return {
    async history(id, { from, not = [], path: treePath = '', offset, limit }) {
      const path = await layout.existing(id);
      if (treePath !== '' && !isReadablePath(treePath)) return { commits: [], total: 0 };
      const args = [...revisions([from], not), '--', ...(treePath === '' ? [] : [`:(literal)${treePath}`])];
      const { hashes, total } = await walks.page(path, { args, offset, limit });
      return { commits: await objects.commits(id, hashes), total };
    },

    async newCommits(id, before, after, limit, signal) {
      const path = await layout.existing(id);
      const not = typeof before === 'string' ? [before] : (before ?? []);
      if (await standsOn(id, after, not)) return { hashes: [after].slice(0, limit), count: 1 };
      const args = [...revisions([after], not), '--'];
      const { hashes, total } = await walks.page(path, { args, offset: 0, limit, signal });
      return { hashes, count: total };
    },

    async isAncestor(id, ancestor, descendant) {
      const path = await layout.existing(id);
      if (await standsOn(id, descendant, [ancestor])) return true;
      const args = ['merge-base', '--is-ancestor', ...revisions([ancestor, descendant])];
      return (await program.run(path, args, { codes: [0, 1] })).code === 0;
    },

    async lastCommits(id, commit, paths) {
      const path = await layout.existing(id);
      return await lastCommits(program, path, checked(commit), paths.filter(isReadablePath));
    },

    async committedAt(id, hashes) {
      const path = await layout.existing(id);
      const input = hashes.map((hash) => `${checked(hash)}\n`).join('');
      const args = ['rev-list', '--no-walk=unsorted', '--ignore-missing', '--timestamp', '--stdin'];
      const lines = (await program.run(path, args, { input })).stdout.toString('latin1').split('\n');
      return new Map(
        lines.slice(0, -1).map((line) => {
          const [seconds = '', hash = ''] = line.split(' ');
          return [hash, timeOf(seconds, '+0000')];
        }),
      );
    },

    async changedFiles(id, hashes, signal) {
      const path = await layout.existing(id);
      const commits = await objects.commits(id, hashes);
      const changed = new Map(commits.map(({ hash }): [Hash, Changes] => [hash, NO_CHANGES]));
      await eachOf(inParts(commits, COMPARED_AT_ONCE), COMPARING, async (part) => {
        const compared = part.map(({ hash, parents: [before] }) => ({ commit: hash, before }));
        for (const [hash, changes] of await changesOfEach(program, path, compared, signal))
          changed.set(hash, changes);
      });
      return changed;
    },

    async changedPaths(id, before, after) {
      const path = await layout.existing(id);
      if (before === after) return [];
      const trees = [checked(before ?? EMPTY_TREE), checked(after)];
      const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...trees];
      const { stdout } = await program.run(path, args);
      return textsIn(stdout, NUL);
    },

    async diff(id, commit, format, client) {
      const path = await layout.existing(id);
      const before = await beforeOf(id, commit);
      const plain = ['--no-ext-diff', '--no-textconv', '--find-renames'];
      const mails = before === EMPTY_TREE ? ['--root', commit] : revisions([commit], [before]);
      const args =
        format === 'diff'
          ? ['diff-tree', '-r', '-p', ...plain, before, commit]
          : ['format-patch', '--stdout', '--no-signature', ...plain, ...mails];
      const running = await program.start('files', path, args, { timeoutMs: DIFF_MS, client });
      const output = outputOf(layout, id, running);
      await once(output, 'readable'); // so that an immediate failure rejects here
      return output;
    },
  };
}

const revisions = (hashes: readonly Hash[], not: readonly Hash[] = []): string[] => [
  ...hashes.map(checked),
  ...not.map((hash) => `^${checked(hash)}`),
];
