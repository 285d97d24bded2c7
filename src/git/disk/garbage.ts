import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError } from '../port/errors.js';
import type { GitProgram } from '../program/git-program.js';
import { unlessGone } from './presence.js';

/** As git has it by itself (`gc.auto`, `gc.autoPackLimit`): one of 256 folders tells how many objects are loose. */
export const MANY_PACKS = 50;
export const MANY_LOOSE = 6_700;
export const LOOKED_AT = '17';

const WITHIN_MS = 30 * 60 * 1000;
const CONFIG = {
  'gc.packRefs': 'false', // others may move them at this moment
  'pack.threads': '1', // whoever waits for an answer comes first
};

/** Runs `git gc` on a repository that others use. */
export async function collect(program: GitProgram, path: string, signal?: AbortSignal): Promise<void> {
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
    throw error;
  }
}

/** What a `git repack` that was killed leaves beside the packs; no other git writes files of such names. */
async function removeUnfinishedPacks(path: string): Promise<void> {
  const folder = join(path, 'objects', 'pack');
  for (const name of (await unlessGone(readdir(folder))) ?? [])
    if (name.startsWith('.tmp-')) await rm(join(folder, name), { force: true });
}
