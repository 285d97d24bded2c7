import { GitError } from './port/errors.js';
import { isHash, type Hash } from './port/hash.js';

/** Returns the hash. Throws `GitError` for any other text, so that git cannot take it for an option. */
export function checked(hash: Hash): Hash {
  if (isHash(hash)) return hash;
  throw new GitError(`${hash} is no hash`);
}
