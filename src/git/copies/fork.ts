import { copyFile, constants, link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eachOf } from '../../concurrency/each-of.js';
import { unlessThere } from '../../files/presence.js';
import { fsync } from '../../files/durable.js';
import { syncBare } from '../disk/bare.js';
import { looseFolders } from '../disk/loose.js';
import { looseRefs, writeLooseRefs } from '../disk/loose-refs.js';
import { writePackedRefs } from '../disk/packed-refs.js';
import { packFolder } from '../disk/packs.js';
import { makeScratch, moveIntoPlace, orRemoved } from '../disk/scratch.js';
import { GitError } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { RemoteRefs } from '../port/copies.js';
import type { RepositoryStorage } from '../port/storage.js';
import { listRefs } from '../refs/list.js';
import type { Parts } from '../parts.js';

/** How many times a copy is tried while the base is being packed. */
const ATTEMPTS = 5;

/** The maximum number of loose refs in a copy. More are packed, because each loose ref costs an fsync. */
const MAX_LOOSE = 64;

/** How many files are linked concurrently. */
const CONCURRENCY = 16;

/**
 * Makes a full copy with hard links. Objects never change in place, so both repositories can share their files and neither
 * can harm the other. See `Copies.fork`.
 */
export async function fork(
  parts: Parts,
  storage: Pick<RepositoryStorage, 'head'>,
  from: number,
  to: number,
): Promise<RemoteRefs> {
  const { layout } = parts;
  const base = await layout.existing(from);
  const head = (await storage.head(from)) ?? 'main';
  const scratch = await makeScratch(layout, { defaultBranch: head });
  return await orRemoved(scratch, async () => {
    const refs = await copy(parts, base, scratch);
    await syncBare(scratch);
    await moveIntoPlace(layout, scratch, to);
    return { refs, ...(refs.has(`refs/heads/${head}`) && { defaultBranch: head }) };
  });
}

async function copy(parts: Parts, base: string, scratch: string): Promise<ReadonlyMap<string, Hash>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // Refs are read first: the objects that they name exist by then, and stay until the folders have been read.
    const refs = await listRefs(parts, base, ['refs/heads', 'refs/tags']);
    if (!(await linkObjects(join(base, 'objects'), join(scratch, 'objects')))) {
      await removePacks(scratch);
      continue;
    }
    await writeRefs(base, scratch, refs);
    return refs;
  }
  throw new GitError(`${base} is being packed time and again`);
}

/** Removes packs that were linked before the base was repacked, because their objects would be stored twice. */
async function removePacks(scratch: string): Promise<void> {
  const folder = packFolder(scratch);
  for (const name of await readdir(folder)) await rm(join(folder, name));
}

/** Writes refs as loose or packed files, each as in the base, so that the copy takes no more space than the base. */
async function writeRefs(base: string, scratch: string, refs: ReadonlyMap<string, Hash>): Promise<void> {
  const loose = await looseRefs(base, refs);
  const kept = loose.size > MAX_LOOSE ? new Map<string, Hash>() : loose;
  const packed = new Map([...refs].filter(([ref]) => !kept.has(ref)));
  if (packed.size > 0) await writePackedRefs(scratch, packed);
  await writeLooseRefs(scratch, kept);
}

/** Links the objects that are missing. Returns false if the base was repacked meanwhile. */
async function linkObjects(from: string, to: string): Promise<boolean> {
  const packs = await readdir(join(from, 'pack'));
  const folders = await looseFolders(from);
  const wanted = packs
    .filter((name) => /^pack-.*\.(pack|rev|idx)$/.test(name))
    .map((name) => join('pack', name));
  try {
    for (const folder of folders) {
      await mkdir(join(to, folder), { recursive: true });
      for (const name of await readdir(join(from, folder)))
        if (/^[0-9a-f]{38}$/.test(name)) wanted.push(join(folder, name));
    }
    await eachOf(wanted, CONCURRENCY, async (name) => {
      await unlessThere(share(join(from, name), join(to, name)));
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  await eachOf([...folders, 'pack', '.'], CONCURRENCY, (folder) => fsync(join(to, folder)));
  return String(await readdir(join(from, 'pack'))) === String(packs);
}

/** Links a file, or copies one that has as many links as the file system allows: those of ext4 have 65,000. */
async function share(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMLINK') throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await fsync(to);
  }
}
