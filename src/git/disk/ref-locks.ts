import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The files that lock a repository's refs, of a git that is at work or that was killed; the last three need not be there.
 * Where the packed refs that it was about to write lie, git writes none any more.
 */
export async function refLocks(path: string): Promise<string[]> {
  const below = await readdir(join(path, 'refs'), { recursive: true, withFileTypes: true });
  const locks = below.filter((entry) => entry.isFile() && entry.name.endsWith('.lock'));
  const ofRefs = locks.map(({ parentPath, name }) => join(parentPath, name));
  return [...ofRefs, ...['packed-refs.new', 'packed-refs.lock', 'HEAD.lock'].map((name) => join(path, name))];
}
