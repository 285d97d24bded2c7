import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessGone } from '../../files/presence.js';
import { refFiles } from '../disk/loose-refs.js';
import type { RefChange } from '../port/refs.js';
import type { Parts } from '../parts.js';
import { listRefs } from './list.js';
import { MANY } from './prepare.js';

/** The bytes of a loose ref, a hash and a newline; and of the line with an annotated tag's commit, which has a mark too. */
const LOOSE = 41;
const PEELED = 42;

const HEADER = '# pack-refs with: peeled fully-peeled sorted \n'.length;

/** See `Refs.growth`. */
export async function growthOf(
  parts: Pick<Parts, 'program'>,
  path: string,
  changes: readonly RefChange[],
): Promise<bigint> {
  const staying = changes.filter(({ after }) => after !== null).map(({ ref }) => ref);
  if (changes.length > MANY) return growthPacked(parts, path, staying);
  const have = await Promise.all(staying.map((ref) => isFile(join(path, ref))));
  return BigInt(LOOSE * have.filter((has) => !has).length);
}

/** Computes the growth if all refs get packed. Counts every ref that is no branch as an annotated tag, without looking. */
async function growthPacked(
  parts: Pick<Parts, 'program'>,
  path: string,
  staying: readonly string[],
): Promise<bigint> {
  const refs = new Set([...(await listRefs(parts, path)).keys(), ...staying]);
  let after = HEADER;
  for (const ref of refs)
    after += LOOSE + 1 + Buffer.byteLength(ref) + (ref.startsWith('refs/heads/') ? 0 : PEELED);
  const packed = await unlessGone(lstat(join(path, 'packed-refs')));
  const before = (packed?.size ?? 0) + LOOSE * (await refFiles(path)).length;
  return BigInt(Math.max(0, after - before));
}

/** Tells whether a path is a file; false if it cannot be examined. */
async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch {
    return false;
  }
}
