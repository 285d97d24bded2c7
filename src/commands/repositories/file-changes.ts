import { badRequest, invalid, notFound, type DomainError } from '../../domain/errors.js';
import type { Git } from '../../git/git.js';
import { isTreePath } from '../../git/objects/path.js';
import { GitPathRefused } from '../../git/port/errors.js';
import type { Hash } from '../../git/port/hash.js';
import type { TreeEntry } from '../../git/port/objects.js';
import type { Staging, TreeChange } from '../../git/port/staging.js';

/** A requested change of one file. */
export interface FileChange {
  readonly operation: 'create' | 'update' | 'delete';
  readonly path: string;
  /** Undefined for an update that leaves the content as it is, such as a mere move. */
  readonly content?: Buffer;
  /** The blob that the caller expects the file to be; required for all operations but `create`. */
  readonly sha?: string;
  /** The path that an update moves the file from. */
  readonly fromPath?: string;
}

/** A change that fits the tree. */
interface Checked {
  readonly change: FileChange;
  /** What is at the path now; undefined if the file is created. */
  readonly entry: TreeEntry | undefined;
}

/** Returns all paths that change, including those that files are moved from. */
export const pathsOf = (changes: readonly FileChange[]): string[] => [
  ...new Set(changes.flatMap(({ path, fromPath }) => (fromPath === undefined ? [path] : [fromPath, path]))),
];

/** Refuses changes that fit no tree at all: of paths where no file can be, of one path twice, or without a `sha`. */
export function checkAsked(changes: readonly FileChange[]): void {
  const seen = new Set<string>();
  for (const change of changes) {
    const { operation, path, sha, fromPath = path } = change;
    for (const each of new Set([path, fromPath])) {
      const field = fieldOf(change, each);
      if (!isTreePath(each)) throw refused(operation, 'file.path', field, `no file can be at ${each}`);
      if (seen.has(each)) throw refused(operation, 'file.twice', field, `${each} is asked for twice`);
      seen.add(each);
    }
    if (operation !== 'create' && !sha) throw invalid('file.sha_missing', 'Sha', 'Required');
  }
}

/**
 * Checks that each change fits the tree of `tip`; without a tip the repository is empty. Refuses with 422 what the
 * client can correct (400 for `delete`, as Forgejo and Gitea do), and with 404 a file that does not exist.
 */
export async function checkChanges(
  git: Pick<Git, 'entries'>,
  id: number,
  tip: Hash | undefined,
  changes: readonly FileChange[],
): Promise<readonly Checked[]> {
  const entriesAt = async (paths: readonly string[]) =>
    tip === undefined ? new Map<string, TreeEntry>() : git.entries(id, tip, paths);
  const there = await entriesAt(pathsOf(changes));
  const checked: Checked[] = [];
  for (const change of changes) {
    const { operation, path, fromPath = path } = change;
    if (operation === 'update' && tip === undefined)
      throw invalid('file.repository_empty', 'Path', 'the repository is empty');
    const entry = there.get(fromPath);
    if (!entry && operation !== 'create') await checkParents(change, fromPath, entriesAt);
    if (operation === 'create') checkFree(operation, path, entry);
    else checkFile(change, fromPath, entry);
    if (fromPath !== path) checkFree(operation, path, there.get(path));
    checked.push({ change, entry });
  }
  return checked;
}

/** Writes the tree with all changes made, and its new blobs. Returns the tree's hash. */
export async function writeChanges(
  staging: Staging,
  base: Hash | undefined,
  checked: readonly Checked[],
): Promise<Hash> {
  const changes: TreeChange[] = [];
  for (const { change, entry } of checked) {
    const { operation, path, fromPath = path, content } = change;
    if (operation === 'delete' || fromPath !== path) changes.push({ kind: 'remove', path: fromPath });
    if (operation === 'delete') continue;
    const hash = content || !entry ? await staging.writeBlob(content ?? Buffer.alloc(0)) : entry.hash;
    const mode = entry?.mode === '100755' ? '100755' : '100644';
    changes.push({ kind: 'put', path, mode, hash });
  }
  try {
    return await staging.writeTree(base, changes);
  } catch (error) {
    if (!(error instanceof GitPathRefused)) throw error;
    const at = checked.find(({ change }) => pathsOf([change]).includes(error.path));
    const field = at ? fieldOf(at.change, error.path) : 'Path';
    const message = `${error.path}: ${REASONS[error.reason]}`;
    throw refused(at?.change.operation ?? 'update', 'file.path', field, message);
  }
}

const REASONS: Readonly<Record<GitPathRefused['reason'], string>> = {
  invalid: 'no file can be there',
  'parent-is-no-directory': 'a part of the path is a file',
  'is-a-directory': 'there is a directory',
  absent: 'there is no such file',
  flawed: 'git takes no such file from anybody',
};

/** Checks that a file could be at the path: each part above it is a directory or does not exist. */
async function checkParents(
  change: FileChange,
  path: string,
  entriesAt: (paths: readonly string[]) => Promise<Map<string, TreeEntry>>,
): Promise<void> {
  const parts = path.split('/').slice(0, -1);
  const parents = await entriesAt(parts.map((_, index) => parts.slice(0, index + 1).join('/')));
  for (const { type } of parents.values())
    if (type !== 'tree') {
      const message = `${path}: ${REASONS['parent-is-no-directory']}`;
      throw refused(change.operation, 'file.path', fieldOf(change, path), message);
    }
}

function checkFree(operation: FileChange['operation'], path: string, entry: TreeEntry | undefined): void {
  if (!entry) return;
  const there = entry.type === 'tree' ? 'a directory' : 'something';
  throw refused(operation, 'file.exists', 'Path', `${there} already exists at ${path}`);
}

function checkFile(change: FileChange, path: string, entry: TreeEntry | undefined): void {
  const { operation, sha = '' } = change;
  if (!entry) throw notFound('file.absent', `there is no file at ${path}`);
  if (entry.type !== 'blob' || entry.mode === '120000')
    throw refused(operation, 'file.no_file', fieldOf(change, path), `what is at ${path} is no file`);
  if (entry.hash !== sha.toLowerCase())
    throw refused(operation, 'file.sha', 'Sha', `${path} is not at ${sha} but at ${entry.hash}`);
}

/** Returns the field of the request that one of the paths of a change is from. */
const fieldOf = ({ path }: FileChange, at: string): string => (at === path ? 'Path' : 'FromPath');

/** Makes the refusal of something that the client can correct; `field` names the field of the request. */
export const refused = (
  operation: FileChange['operation'],
  code: string,
  field: string,
  message: string,
): DomainError => (operation === 'delete' ? badRequest(code, message) : invalid(code, field, message));
