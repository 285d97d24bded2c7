import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessGone } from '../../presence.js';
import { GitRepositoryExists } from '../port/errors.js';
import { makeBare, type BareOptions } from './bare.js';
import { fsync } from './durable.js';
import type { Layout } from './layout.js';

/** What nobody has touched for a day was left by a crash: no work takes as long. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000;

/** A bare repository aside. Whoever makes one moves or removes it; one that cannot be made whole is removed here. */
export async function makeScratch(layout: Layout, options: BareOptions = {}): Promise<string> {
  const path = join(layout.staging, `${randomUUID()}.git`);
  await orRemoved(path, () => makeBare(path, options));
  return path;
}

/** Does something with a folder that goes where that fails; what cannot go now is swept. */
export async function orRemoved<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await removeFolder(path).catch(() => undefined);
    throw error;
  }
}

/** Lets a repository that was made aside become that of an id, all at once and durably. */
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

/** Removes a folder, however far it is there; while a program still writes into it, it is tried again for a second. */
export const removeFolder = (path: string) =>
  rm(path, { recursive: true, force: true, maxRetries: 4, retryDelay: 100 });

/** Removes what crashes left aside; answers with how many. Other processes may be at work. */
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

/** Whether a file or folder is there that a crash must have left. */
export async function isLeftBehind(path: string): Promise<boolean> {
  const facts = await unlessGone(stat(path));
  return facts !== undefined && Date.now() - facts.mtimeMs > LEFT_BEHIND_MS;
}
