import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eachOf } from '../../each-of.js';
import type { Hash } from '../port/hash.js';
import { fsync } from './durable.js';

const CONCURRENCY = 16;

/** Those of the refs that a repository keeps each in a file of its own. */
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

/** The files below the folder of a repository's refs: those of refs, and the locks of some. */
export async function refFiles(path: string): Promise<string[]> {
  const below = await readdir(join(path, 'refs'), { recursive: true, withFileTypes: true });
  return below.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/**
 * The files of refs that say nothing: a power failure leaves those so that had not reached the disk, and git moves none
 * of them.
 */
export async function emptyRefs(path: string): Promise<string[]> {
  const empty: string[] = [];
  await eachOf(await refFiles(path), CONCURRENCY, async (file) => {
    if (/^\0*$/.test(await readFile(file, 'latin1'))) empty.push(file);
  });
  return empty;
}

/** Writes refs of a repository that nobody else sees yet, each into a file of its own. */
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
