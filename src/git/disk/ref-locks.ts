import { join } from 'node:path';
import { refFiles } from './loose-refs.js';

/**
 * Lists the lock files of a repository's refs, of running or killed gits. The last three may not exist. They include
 * `packed-refs.new`, because git writes no packed refs while that exists.
 */
export async function refLocks(path: string): Promise<string[]> {
  const ofRefs = (await refFiles(path)).filter((file) => file.endsWith('.lock'));
  return [...ofRefs, ...['packed-refs.new', 'packed-refs.lock', 'HEAD.lock'].map((name) => join(path, name))];
}
