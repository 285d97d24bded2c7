import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hash } from '../port/hash.js';
import { fsync } from '../../files/durable.js';

/** Writes all refs into one file, durably, in a repository that nobody else uses yet. */
export async function writePackedRefs(path: string, refs: ReadonlyMap<string, Hash>): Promise<void> {
  const lines = [...refs]
    .map(([ref, hash]) => ({ bytes: Buffer.from(ref), line: `${hash} ${ref}\n` }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes)) // as git reads them
    .map(({ line }) => line);
  const file = join(path, 'packed-refs');
  await writeFile(file, ['# pack-refs with: sorted \n', ...lines].join(''));
  await fsync(file);
}
