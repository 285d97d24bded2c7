import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eachOf } from '../../concurrency/each-of.js';
import type { Hash } from '../port/hash.js';
import { fsync } from '../../files/durable.js';

const CONCURRENCY = 16;

/** Returns those of the refs that are loose, that is, in a file of their own. */
export async function looseRefs(
  path: string,
  refs: ReadonlyMap<string, Hash>,
): Promise<ReadonlyMap<string, Hash>> {
  const loose = new Map<string, Hash>();
  await eachOf(refs, CONCURRENCY, async ([ref, hash]) => {
    const facts = await lstat(join(path, ref)).catch(() => undefined); // what is not there is packed
    if (facts?.isFile()) loose.set(ref, hash);
  });
  return loose;
}

/** Lists the files below a repository's folder `refs`: loose refs and lock files. */
export async function refFiles(path: string): Promise<string[]> {
  const below = await readdir(join(path, 'refs'), { recursive: true, withFileTypes: true });
  return below.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/**
 * Lists the lock files of a repository's refs, of running or killed gits. The last three may not exist. They include
 * `packed-refs.new`, because git writes no packed refs while that exists.
 */
export async function refLocks(path: string): Promise<string[]> {
  const ofRefs = (await refFiles(path)).filter((file) => file.endsWith('.lock'));
  return [...ofRefs, ...['packed-refs.new', 'packed-refs.lock', 'HEAD.lock'].map((name) => join(path, name))];
}

/** Lists empty ref files. A power failure leaves a file empty that was not synced, and git cannot update such a ref. */
export async function emptyRefs(path: string): Promise<string[]> {
  const empty: string[] = [];
  await eachOf(await refFiles(path), CONCURRENCY, async (file) => {
    if (/^\0*$/.test(await readFile(file, 'latin1'))) empty.push(file);
  });
  return empty;
}

/** Writes each ref into a file of its own, durably, in a repository that nobody else uses yet. */
export async function writeLooseRefs(path: string, refs: ReadonlyMap<string, Hash>): Promise<void> {
  const folders = new Set<string>();
  await eachOf(refs, CONCURRENCY, async ([ref, hash]) => {
    const file = join(path, ref);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${hash}\n`);
    await fsync(file);
    for (let folder = dirname(ref); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  });
  await eachOf(folders, CONCURRENCY, (folder) => fsync(join(path, folder)));
}
