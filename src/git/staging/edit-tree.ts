import type { Oid, Repository, Treebuilder } from 'nodegit';
import { GitPathRefused } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { TreeChange } from '../port/staging.js';
import { libgit2 } from '../nodegit/libgit2.js';
import { DIRECTORY } from '../nodegit/numbers.js';
import { isGitsOwnFile, isTreePath } from '../objects/path.js';

/** A directory that is being edited: its libgit2 builder, and its subdirectories that are edited too. */
interface Directory {
  readonly builder: Treebuilder;
  readonly edited: Map<string, Directory>;
}

/** Applies changes to a tree and writes the result. Only directories on the path of a change are read. */
export async function editTree(
  repository: Repository,
  base: Hash | undefined,
  changes: readonly TreeChange[],
): Promise<Hash> {
  const root = await open(repository, base === undefined ? undefined : libgit2().Oid.fromString(base));
  for (const change of changes) {
    if (!isTreePath(change.path)) throw new GitPathRefused(change.path, 'invalid');
    const names = change.path.split('/');
    if (change.kind === 'put') await put(repository, root, names, change);
    else await remove(repository, root, names, change);
  }
  return (await write(root)).tostrS();
}

async function open(repository: Repository, tree?: Oid): Promise<Directory> {
  const source = tree && (await libgit2().Tree.lookup(repository, tree));
  return { builder: await libgit2().Treebuilder.create(repository, source), edited: new Map() };
}

/** Opens a subdirectory for editing; undefined if there is no entry of that name. */
async function enter(
  repository: Repository,
  directory: Directory,
  name: string,
  { path }: TreeChange,
): Promise<Directory | undefined> {
  const known = directory.edited.get(name);
  if (known) return known;
  const entry = entryOf(directory, name);
  if (!entry) return undefined;
  if (entry.filemode() !== DIRECTORY) throw new GitPathRefused(path, 'parent-is-no-directory');
  const entered = await open(repository, entry.id());
  directory.edited.set(name, entered);
  return entered;
}

async function put(
  repository: Repository,
  root: Directory,
  names: readonly string[],
  change: TreeChange & { kind: 'put' },
): Promise<void> {
  const { path, mode, hash } = change;
  const name = names.at(-1) ?? '';
  if (mode === '120000' && isGitsOwnFile(name)) throw new GitPathRefused(path, 'invalid');
  let directory = root;
  for (const parent of names.slice(0, -1)) {
    let next = await enter(repository, directory, parent, change);
    if (!next) {
      next = await open(repository);
      directory.edited.set(parent, next);
    }
    directory = next;
  }
  if (isDirectory(directory, name)) throw new GitPathRefused(path, 'is-a-directory');
  await directory.builder.insert(name, libgit2().Oid.fromString(hash), Number.parseInt(mode, 8));
}

async function remove(
  repository: Repository,
  root: Directory,
  names: readonly string[],
  change: TreeChange,
): Promise<void> {
  const { path } = change;
  const name = names.at(-1) ?? '';
  const way = [root];
  for (const parent of names.slice(0, -1)) {
    const next = await enter(repository, way.at(-1) ?? root, parent, change);
    if (!next) throw new GitPathRefused(path, 'absent');
    way.push(next);
  }
  const directory = way.at(-1) ?? root;
  if (isDirectory(directory, name)) throw new GitPathRefused(path, 'is-a-directory');
  if (!entryOf(directory, name)) throw new GitPathRefused(path, 'absent');
  directory.builder.remove(name);
  // git has no empty directories, so parents that have become empty are removed too.
  for (let depth = way.length - 1; depth > 0; depth -= 1) {
    const [outer, inner, called] = [way[depth - 1], way[depth], names[depth - 1]];
    if (!outer || !inner || called === undefined || !isEmpty(inner)) return;
    outer.edited.delete(called);
    if (entryOf(outer, called)) outer.builder.remove(called);
  }
}

async function write({ builder, edited }: Directory): Promise<Oid> {
  for (const [name, directory] of edited) await builder.insert(name, await write(directory), DIRECTORY);
  return await builder.write();
}

/** Returns the entry of this name; null, contrary to nodegit's types, if there is none. */
const entryOf = ({ builder }: Directory, name: string) =>
  builder.get(name) as ReturnType<Treebuilder['get']> | null;

const isDirectory = (directory: Directory, name: string) =>
  directory.edited.has(name) || entryOf(directory, name)?.filemode() === DIRECTORY;

const isEmpty = ({ builder, edited }: Directory) => builder.entrycount() === 0 && edited.size === 0;
