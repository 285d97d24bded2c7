/** A process that begins a staging and a repository while it has no descriptor left: it tells what comes of them, and what is left. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import promises, { mkdtemp, readdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGit } from '../../src/git/open-git.js';

const MOST = 100;
/** Soon enough for what is tried again. */
const STARVING_MS = 50;

const folder = await mkdtemp(join(tmpdir(), 'tallyforge-starving-'));
const git = await openGit({ folder });
await git.create(1, { defaultBranch: 'main' });
execFileSync('prlimit', [`--pid=${process.pid}`, `--nofile=${MOST}`]);
const files: number[] = [];
try {
  for (;;) files.push(openSync('/dev/null', 'r'));
} catch {
  // All are open now.
}
const { rm } = promises;
let failed = 0;
// Both have failed once each begins to remove what it has made.
promises.rm = (...removed) => {
  failed += 1;
  if (failed === 2)
    setTimeout(() => {
      for (const file of files) closeSync(file);
    }, STARVING_MS);
  return rm(...removed);
};
syncBuiltinESMExports();
const begun = [git.stage(1), git.create(2, { defaultBranch: 'main' })];
const codes = (await Promise.allSettled(begun)).map((each) =>
  each.status === 'rejected' ? (each.reason as NodeJS.ErrnoException).code : 'done',
);
process.stdout.write(`${codes.join(' ')} ${(await readdir(join(folder, 'staging'))).length}\n`);
await rm(folder, { recursive: true });
