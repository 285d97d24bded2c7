import { pipeline } from 'node:stream/promises';
import { checked } from '../checked.js';
import { GitError } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { RunningProgram } from '../port/programs.js';
import type { GitProgram } from '../program/git-program.js';

const WITHIN_MS = 10 * 60 * 1000;

/** See `ObjectWriter.copyTree`. One program packs the tree, another indexes the pack, however many files there are. */
export async function copyTree(
  program: GitProgram,
  { base, tree, path }: { readonly base: string; readonly tree: Hash; readonly path: string },
): Promise<void> {
  const root = checked(tree);
  const options = { timeoutMs: WITHIN_MS };
  const give = await program.start(
    'transport',
    base,
    ['pack-objects', '--revs', '--stdout', '--quiet'],
    options,
  );
  let take: RunningProgram | undefined;
  try {
    take = await program.start('short', path, ['index-pack', '--stdin'], options);
    give.stdin.end(`${root}\n`);
    take.stdout.resume();
    // The receiver may end before its input is closed, once it has the whole pack. The exit codes tell about success.
    await pipeline(give.stdout, take.stdin).catch(() => undefined);
    await Promise.all([succeeded(give), succeeded(take)]);
  } finally {
    give.kill();
    take?.kill();
  }
}

async function succeeded({ ended }: RunningProgram): Promise<void> {
  const { code, stderr } = await ended;
  if (code !== 0) throw new GitError(`a tree could not be copied: ${stderr.trim()}`);
}
