import { join } from 'node:path';
import { unlessGone } from '../../files/presence.js';
import { UsageError } from '../../programs/program.js';
import { readManifest, TAKE_ANOTHER, type Manifest } from '../manifest.js';
import { readSums, sumOf, SUMS } from '../summed-files.js';

/**
 * Verifies all files of a back-up but the key, and returns its manifest. Rejects with `UsageError` if one is missing or was
 * changed.
 */
export async function checkBackUp(folder: string, say: (line: string) => void): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if ((await sumOfFile(folder, SUMS)) !== manifest.sums)
    throw new UsageError(`${join(folder, SUMS)} is not what was written`, TAKE_ANOTHER);
  let files = 0;
  for await (const { sum, name } of readSums(join(folder, SUMS))) {
    // The key may have been moved elsewhere; the one that is used is compared with its fingerprint later.
    if (name.startsWith('keys/')) continue;
    if ((await sumOfFile(folder, name)) !== sum)
      throw new UsageError(`${join(folder, name)} is not what was written`, TAKE_ANOTHER);
    files++;
  }
  say(`${files} files are what was written`);
  return manifest;
}

async function sumOfFile(folder: string, name: string): Promise<string> {
  const sum = await unlessGone(sumOf(join(folder, name)));
  if (sum === undefined) throw new UsageError(`${name} is missing`, TAKE_ANOTHER);
  return sum;
}
