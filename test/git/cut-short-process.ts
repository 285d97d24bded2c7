/** A process whose files may not grow beyond a few bytes, as on a disk that is full: it tells what comes of a large blob. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGit } from '../../src/git/open-git.js';
import { lacksRoom } from '../../src/failures/no-room.js';

const folder = await mkdtemp(join(tmpdir(), 'tallyforge-cut-short-'));
const git = await openGit({ folder });
await git.create(1, { defaultBranch: 'main' });
const staging = await git.stage(1);
execFileSync('prlimit', [`--pid=${process.pid}`, '--fsize=4096']);
const told = await staging.writeBlob(randomBytes(100_000)).then(
  () => 'written',
  (error: unknown) => (lacksRoom(error) ? 'no room' : String(error)),
);
process.stdout.write(`${told}\n`);
await rm(folder, { recursive: true });
