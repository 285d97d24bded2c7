import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The files that lock a repository's refs, of a git that is at work or that was killed; the last two need not be there. */
export async function refLocks(path: string): Promise<string[]> {
  const below = await readdir(join(path, 'refs'), { recursive: true, withFileTypes: true });
  const locks = below.filter((entry) => entry.isFile() && entry.name.endsWith('.lock'));
  const ofRefs = locks.map(({ parentPath, name }) => join(parentPath, name));
  return [...ofRefs, join(path, 'packed-refs.lock'), join(path, 'HEAD.lock')];
}
