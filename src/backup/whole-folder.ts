import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { tryLock } from '../files/file-lock.js';
import { fsync } from '../files/durable.js';
import { makeFolder } from '../files/make-folder.js';
import { unlessGone } from '../files/presence.js';
import { UsageError } from '../programs/program.js';

const LOCK = 'lock';

/**
 * Creates a folder completely or not at all: `work` fills `<folder>.unfinished`, which is renamed at the end. What an
 * earlier, killed run left there is removed. Refuses a folder that is not empty.
 */
export async function makeWhole<T>(folder: string, work: (unfinished: string) => Promise<T>): Promise<T> {
  const path = resolve(folder);
  if (!(await isEmptyFolder(path))) throw new UsageError(`${path} is there already`, 'name a new folder');
  const unfinished = `${path}.unfinished`;
  await makeFolder(unfinished, 0o700).catch((error: unknown) => {
    throw new UsageError(
      `${unfinished} cannot be made`,
      `name a folder where you may write. ${(error as Error).message}`,
    );
  });
  const lock = tryLock(join(unfinished, LOCK));
  if (!lock) throw new UsageError(`${unfinished} is being written by somebody else`, 'name another folder');
  try {
    await removeAll(unfinished, (name) => name !== LOCK);
    await removeEmpty(path);
    const result = await work(unfinished);
    await fsync(unfinished);
    await rename(unfinished, path); // with the lock in it: without, another run would take it over, and empty it
    await rm(join(path, LOCK));
    await fsync(dirname(path));
    return result;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
}

/**
 * Tells whether a path does not exist, or is a folder that is empty except for the given names. Rejects with `UsageError`
 * if that cannot be told.
 */
export async function isEmptyFolder(path: string, ...but: readonly string[]): Promise<boolean> {
  try {
    return (await readdir(path)).every((name) => but.includes(name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code === 'ENOTDIR') return false;
    throw new UsageError(
      `${path} cannot be read`,
      `name another folder, or run this as a user who may read it. ${(error as Error).message}`,
    );
  }
}

/**
 * Removes an empty folder, if there is one, to find out before the work whether it could be replaced after it: a mount
 * point or a link cannot.
 */
async function removeEmpty(path: string): Promise<void> {
  await unlessGone(rmdir(path)).catch((error: unknown) => {
    throw new UsageError(
      `${path} cannot be replaced`,
      `name a new folder in it. ${(error as Error).message}`,
    );
  });
}

async function removeAll(folder: string, which: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(folder)).filter(which))
    await rm(join(folder, name), { recursive: true, force: true });
}
