import { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { eachOf } from '../../concurrency/each-of.js';
import { unlessGone } from '../../files/presence.js';
import { GitError } from '../port/errors.js';
import type { GitProgram } from '../program/git-program.js';
import { looseObjects } from './loose.js';
import { packFiles, packFolder, packsOf } from './packs.js';
import { isLeftBehind, removeFolder } from './scratch.js';
import { QUARANTINE } from './size.js';

/** git's own limits (`gc.auto`, `gc.autoPackLimit`). The number of loose objects is estimated from one of 256 folders. */
const MANY_PACKS = 50;
const MANY_LOOSE = 6_700;
const LOOKED_AT = '17';

const WITHIN_MS = 30 * 60 * 1000;
const CONCURRENCY = 16;
const CONFIG = {
  'gc.packRefs': 'false', // others may move them at this moment
  'gc.cruftPacks': 'true', // unreachable objects go into one pack that records the age of each
  'gc.writeCommitGraph': 'false', // a killed git would leave a lock that nobody removes
  'pack.threads': '1', // leaves CPU for requests
};

/** Tells whether there are so many loose objects or packs, or objects that a killed push left, that `collect` is worthwhile. */
export async function hasMuch(path: string): Promise<boolean> {
  const [packed, loose] = await Promise.all([
    packFiles(path),
    unlessGone(readdir(join(path, 'objects', LOOKED_AT))),
  ]);
  const packs = packed.filter((name) => name.endsWith('.pack'));
  if (packs.length > MANY_PACKS || 256 * (loose?.length ?? 0) > MANY_LOOSE) return true;
  return (await leftQuarantines(path)).length > 0;
}

/** Runs `git gc` on a repository that may be in use. If it fails, removes its unfinished files. */
export async function collect(program: GitProgram, path: string, signal?: AbortSignal): Promise<void> {
  await removeLeftKeeps(path);
  for (const left of await leftQuarantines(path)) await removeFolder(left);
  const beginning = join(path, `${LOCK}.lock`);
  if (await isLeftBehind(beginning)) await rm(beginning, { force: true });
  await beginAges(path);
  const args = ['gc', '--quiet', '--prune=2.weeks.ago'];
  const options = { config: CONFIG, timeoutMs: WITHIN_MS, ...(signal && { signal }) };
  const { stdin, stdout, ended } = await program.start('transport', path, args, options);
  stdin.end();
  stdout.resume();
  try {
    const { code, stderr } = await ended;
    if (code === 0 || RUNNING.test(stderr)) return;
    throw new GitError(`git gc ended with ${code ?? 'a signal'}: ${stderr.trim()}`);
  } catch (error) {
    await removeUnfinishedPacks(path);
    await removeLock(path);
    throw error;
  }
}

/** Tells whether a file of a repository is a temporary one of `git gc`, which does not count as content. */
export function isUnfinished(path: string, file: string): boolean {
  const name = file.slice(dirname(file).length + 1);
  return dirname(file) === packFolder(path) ? isUnfinishedPack(name) : file === join(path, LOCK);
}

const LOCK = 'gc.pid';
/** What git says where another gc runs, or begins at this moment: it holds the lock of its lock only then. */
const RUNNING = /gc is already running|gc\.pid\.lock': File exists/;
const isUnfinishedPack = (name: string) => name.startsWith('.tmp-') || name.startsWith('tmp_');

/**
 * Removes `.keep` files that killed gits left. While a git receives a pack, such a file with its process id keeps others
 * from repacking it; if it stayed, nothing in that pack would ever be freed.
 */
async function removeLeftKeeps(path: string): Promise<void> {
  for (const name of await packFiles(path)) {
    if (!name.endsWith('.keep')) continue;
    const file = join(packFolder(path), name);
    const [, pid, host] = / (\d+) on (\S+)\n$/.exec((await unlessGone(readFile(file, 'utf8'))) ?? '') ?? [];
    const isOfDead = host === hostname() && !isAlive(Number(pid));
    // The process id may be of another machine, or in use again by another program: then the file's age decides.
    if (isOfDead || (await isLeftBehind(file))) await rm(file, { force: true });
  }
}

/** Lists the folders with objects of pushes that were killed before they were judged. */
async function leftQuarantines(path: string): Promise<string[]> {
  const names = (await unlessGone(readdir(join(path, 'objects')))) ?? [];
  const folders = names
    .filter((name) => name.startsWith(QUARANTINE))
    .map((name) => join(path, 'objects', name));
  const left = await Promise.all(folders.map(isLeftBehind));
  return folders.filter((_, index) => left[index]);
}

/**
 * Touches loose objects and packs, except cruft packs. git dates an unreachable object by its file, but it may have been
 * reachable until now, so its age has to count from now on. That happens once per object, because gc then moves it to the
 * cruft pack, which records its age.
 */
async function beginAges(path: string): Promise<void> {
  const now = new Date();
  const { lasting } = await packsOf(path);
  const loose = (await unlessGone(looseObjects(join(path, 'objects')))) ?? [];
  const files = [
    ...lasting.map((name) => join(packFolder(path), name)),
    ...loose.map((name) => join(path, 'objects', name)),
  ];
  await eachOf(files, CONCURRENCY, async (file) => {
    await unlessGone(utimes(file, now, now));
  });
}

/** Removes what a killed `git repack` left beside the packs; no other git program writes files of such names there. */
async function removeUnfinishedPacks(path: string): Promise<void> {
  for (const name of await packFiles(path))
    if (isUnfinishedPack(name)) await rm(join(packFolder(path), name), { force: true });
}

/** Removes the lock of a dead git, which another host, such as the next container, would respect for twelve hours. */
async function removeLock(path: string): Promise<void> {
  const lock = join(path, LOCK);
  const [pid, host] = ((await unlessGone(readFile(lock, 'utf8'))) ?? '').trim().split(' ');
  if (host === hostname() && !isAlive(Number(pid))) await rm(lock, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
