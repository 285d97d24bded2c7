import { GitLimitExceeded } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { GitProgram } from '../program/git-program.js';
import { NUL, splitRecords } from '../program/records.js';

/** A listing waits no longer; what is not found by then goes without. */
const WITHIN_MS = 5_000;

/** Marks the line of a commit: no path begins so, because paths in a tree are not empty. */
const MARK = '\x01';

/** The newest commit that changed each path: one walk for all of them, which ends with the last path found. */
export async function lastCommits(
  program: GitProgram,
  path: string,
  commit: Hash,
  wanted: readonly string[],
): Promise<Map<string, Hash>> {
  const missing = new Set(wanted);
  const last = new Map<string, Hash>();
  let here = '';
  const take = (record: Buffer) => {
    const text = record.toString().replace(/^\n/, '');
    if (text.startsWith(MARK)) {
      here = text.slice(1, 41);
      return undefined;
    }
    for (const changed of withParents(text)) if (missing.delete(changed)) last.set(changed, here);
    return missing.size === 0 ? 'enough' : undefined;
  };
  const folder = commonFolder(wanted);
  const args = [
    '--literal-pathspecs',
    'log',
    '-z',
    '-c',
    '--no-renames',
    '--name-only',
    `--format=%x01%H`,
    commit,
  ];
  const spec = folder === '' ? [] : [folder];
  if (missing.size === 0) return last;
  try {
    const options = { timeoutMs: WITHIN_MS };
    await program.stream(path, [...args, '--', ...spec], options, splitRecords(NUL, take));
  } catch (error) {
    if (!(error instanceof GitLimitExceeded)) throw error;
  }
  return last;
}

/** A path and the folders that it is in. */
function* withParents(path: string): Iterable<string> {
  yield path;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) yield path.slice(0, at);
}

/** The deepest folder that all paths are in, or the one path. */
function commonFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  let parts = first.split('/');
  for (const other of others) {
    const its = other.split('/');
    const differs = parts.findIndex((part, index) => part !== its[index]);
    if (differs >= 0) parts = parts.slice(0, differs);
  }
  return parts.join('/');
}
