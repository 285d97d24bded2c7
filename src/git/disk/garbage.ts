import { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { eachOf } from '../../each-of.js';
import { unlessGone } from '../../presence.js';
import { GitError } from '../port/errors.js';
import type { GitProgram } from '../program/git-program.js';
import { looseObjects } from './loose.js';
import { isLeftBehind } from './scratch.js';

/** As git has it by itself (`gc.auto`, `gc.autoPackLimit`): one of 256 folders tells how many objects are loose. */
const MANY_PACKS = 50;
const MANY_LOOSE = 6_700;
const LOOKED_AT = '17';

const WITHIN_MS = 30 * 60 * 1000;
const CONCURRENCY = 16;
const CONFIG = {
  'gc.packRefs': 'false', // others may move them at this moment
  'gc.cruftPacks': 'true', // what nothing reaches lies in one pack that tells of each object since when
  'gc.writeCommitGraph': 'false', // a git that is killed leaves a lock in its way that nobody takes away
  'pack.threads': '1', // whoever waits for an answer comes first
};

/** Whether so much is loose, or in so many packs, that `collect` is worth its time. */
export async function hasMuch(path: string): Promise<boolean> {
  const [packed, loose] = await Promise.all([
    unlessGone(readdir(packFolder(path))),
    unlessGone(readdir(join(path, 'objects', LOOKED_AT))),
  ]);
  const packs = packed?.filter((name) => name.endsWith('.pack')) ?? [];
  return packs.length > MANY_PACKS || 256 * (loose?.length ?? 0) > MANY_LOOSE;
}

/** Runs `git gc` on a repository that others use. What it has made is taken away where it fails. */
export async function collect(program: GitProgram, path: string, signal?: AbortSignal): Promise<void> {
  await removeLeftKeeps(path);
  await beginAges(path);
  const args = ['gc', '--quiet', '--prune=2.weeks.ago'];
  const options = { config: CONFIG, timeoutMs: WITHIN_MS, ...(signal && { signal }) };
  const { stdin, stdout, ended } = await program.start('transport', path, args, options);
  stdin.end();
  stdout.resume();
  try {
    const { code, stderr } = await ended;
    if (code === 0 || stderr.includes('gc is already running')) return;
    throw new GitError(`git gc ended with ${code ?? 'a signal'}: ${stderr.trim()}`);
  } catch (error) {
    await removeUnfinishedPacks(path);
    await removeLock(path);
    throw error;
  }
}

/** Whether a file of a repository is one that `git gc` is at work with: nothing of what the repository holds. */
export function isUnfinished(path: string, file: string): boolean {
  const name = file.slice(dirname(file).length + 1);
  return dirname(file) === packFolder(path) ? isUnfinishedPack(name) : file === join(path, LOCK);
}

const LOCK = 'gc.pid';
const packFolder = (path: string) => join(path, 'objects', 'pack');
const isUnfinishedPack = (name: string) => name.startsWith('.tmp-') || name.startsWith('tmp_');

/**
 * While a git takes a pack in, a file beside it tells whose it is, lest others pack it anew. One that is killed leaves
 * that file, and nothing in such a pack would ever be freed.
 */
async function removeLeftKeeps(path: string): Promise<void> {
  for (const name of (await unlessGone(readdir(packFolder(path)))) ?? []) {
    if (!name.endsWith('.keep')) continue;
    const file = join(packFolder(path), name);
    const [, pid, host] = / (\d+) on (\S+)\n$/.exec((await unlessGone(readFile(file, 'utf8'))) ?? '') ?? [];
    const isOfDead = host === hostname() && !isAlive(Number(pid));
    // Where that cannot be told, as of a number that another program has now, its age does.
    if (isOfDead || (await isLeftBehind(file))) await rm(file, { force: true });
  }
}

/**
 * git takes an object that nothing reaches to be as old as the file that it finds it in, which may have been reached
 * until now: it counts from here on, and from the first time only, as it goes into the pack that tells of each since when.
 */
async function beginAges(path: string): Promise<void> {
  const now = new Date();
  const names = (await unlessGone(readdir(packFolder(path)))) ?? [];
  const told = new Set(names.filter((name) => name.endsWith('.mtimes')));
  const packs = names.filter(
    (name) => name.endsWith('.pack') && !told.has(name.replace(/\.pack$/, '.mtimes')),
  );
  const loose = (await unlessGone(looseObjects(join(path, 'objects')))) ?? [];
  const files = [
    ...packs.map((name) => join(packFolder(path), name)),
    ...loose.map((name) => join(path, 'objects', name)),
  ];
  await eachOf(files, CONCURRENCY, async (file) => {
    await unlessGone(utimes(file, now, now));
  });
}

/** What a `git repack` that was killed leaves beside the packs; no other git writes files of such names there. */
async function removeUnfinishedPacks(path: string): Promise<void> {
  for (const name of (await unlessGone(readdir(packFolder(path)))) ?? [])
    if (isUnfinishedPack(name)) await rm(join(packFolder(path), name), { force: true });
}

/** Of a git that is dead: from another machine, such as the next container, it would be taken for alive for twelve hours. */
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
