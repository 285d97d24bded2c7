import { join } from 'node:path';
import { refFiles } from './loose-refs.js';

/**
 * The files that lock a repository's refs, of a git that is at work or that was killed; the last three need not be there.
 * Where the packed refs that it was about to write lie, git writes none any more.
 */
export async function refLocks(path: string): Promise<string[]> {
  const ofRefs = (await refFiles(path)).filter((file) => file.endsWith('.lock'));
  return [...ofRefs, ...['packed-refs.new', 'packed-refs.lock', 'HEAD.lock'].map((name) => join(path, name))];
}
