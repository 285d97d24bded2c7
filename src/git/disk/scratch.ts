import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessGone } from '../../files/presence.js';
import { GitRepositoryExists } from '../port/errors.js';
import { makeBare, type BareOptions } from './bare.js';
import { fsync } from '../../files/durable.js';
import type { Layout } from './layout.js';

/** The age from which an unmodified file or folder counts as left by a crash, because no work takes a day. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000;

/** Creates a temporary bare repository, which the caller must move or remove. If creation fails, removes it. */
export async function makeScratch(layout: Layout, options: BareOptions = {}): Promise<string> {
  const path = join(layout.staging, `${randomUUID()}.git`);
  await orRemoved(path, () => makeBare(path, options));
  return path;
}

/** Runs `work`, and removes the folder if that fails. If it cannot be removed now, it is swept later. */
export async function orRemoved<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await removeFolder(path).catch(() => undefined);
    throw error;
  }
}

/** Moves a temporary repository into place, atomically and durably. Rejects with `GitRepositoryExists` if there is one. */
export async function moveIntoPlace(layout: Layout, scratch: string, id: number): Promise<void> {
  const path = layout.pathOf(id);
  const folder = dirname(path);
  if ((await mkdir(folder, { recursive: true })) !== undefined) await fsync(layout.root);
  try {
    await rename(scratch, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') throw new GitRepositoryExists(id);
    throw error;
  }
  await fsync(folder);
}

/** Removes a folder if it exists; retries for a second while a program still writes into it. */
export const removeFolder = (path: string) =>
  rm(path, { recursive: true, force: true, maxRetries: 4, retryDelay: 100 });

/** Removes temporary repositories that crashes left; returns how many. Other processes may work meanwhile. */
export async function sweepScratch(layout: Layout): Promise<number> {
  let swept = 0;
  for (const name of await readdir(layout.staging)) {
    const path = join(layout.staging, name);
    if (!(await isLeftBehind(path))) continue;
    await removeFolder(path);
    swept += 1;
  }
  return swept;
}

/** Tells whether a file or folder exists and is so old that a crash must have left it. */
export async function isLeftBehind(path: string): Promise<boolean> {
  const facts = await unlessGone(stat(path));
  return facts !== undefined && Date.now() - facts.mtimeMs > LEFT_BEHIND_MS;
}
