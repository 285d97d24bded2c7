import { GitError } from './port/errors.js';
import { isHash, type Hash } from './port/hash.js';

/** The hash; refuses whatever is none, lest git take it for an option. */
export function checked(hash: Hash): Hash {
  if (isHash(hash)) return hash;
  throw new GitError(`${hash} is no hash`);
}
