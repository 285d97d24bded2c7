import { parseInfo } from '../objects/info.js';
import { isReadablePath } from '../objects/path.js';
import { GitLimitExceeded } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { TreeChange } from '../port/staging.js';
import type { GitProgram } from '../program/git-program.js';

/** About a million names. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Throws `GitLimitExceeded` if a directory that changes touch is too large: nodegit loads each of them whole. */
export async function checkTreeSizes(
  program: GitProgram,
  path: string,
  base: Hash,
  changes: readonly TreeChange[],
): Promise<void> {
  const directories = new Set(changes.flatMap((change) => directoriesOf(change.path)));
  const asked = [...directories].filter(isReadablePath).map((directory) => `${base}:${directory}`);
  const input = [base, ...asked].map((name) => `${name}\0`).join('');
  const { stdout } = await program.run(path, ['cat-file', '--batch-check', '-z'], { input });
  // The line of one that is missing repeats its name, which may have line breaks: these lines may be more than the names.
  const infos = stdout.toString().split('\n').map(parseInfo);
  if (infos.some((info) => info?.type === 'tree' && info.size > MAX_BYTES))
    throw new GitLimitExceeded('bytes', 'a directory is too large');
}

function directoriesOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('/'));
}
