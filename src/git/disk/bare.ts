import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError } from '../port/errors.js';
import { eachOf } from '../../concurrency/each-of.js';
import { hasRefCharacters } from '../refs/characters.js';
import { fsync } from '../../files/durable.js';
import { looseFolders, looseObjects } from './loose.js';

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';
const FOLDERS = ['objects', 'refs'];
const FOLDERS_BELOW = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'];

/** The options of a new bare repository. HEAD names `main` unless a default branch is given. */
export interface BareOptions {
  readonly defaultBranch?: string;
  /** The path of a repository whose objects are visible in this one too. */
  readonly alternate?: string;
}

/** Creates a bare repository with the same files as `git init --bare --template=`. Rejects if the folder exists. */
export async function makeBare(
  path: string,
  { defaultBranch = 'main', alternate }: BareOptions,
): Promise<void> {
  if (!hasRefCharacters(defaultBranch)) throw new GitError(`HEAD cannot name ${defaultBranch}`);
  await mkdir(path);
  const make = (folder: string) => mkdir(join(path, folder));
  await Promise.all(FOLDERS.map(make));
  await Promise.all([
    ...FOLDERS_BELOW.map(make),
    writeFile(join(path, 'config'), CONFIG),
    writeFile(join(path, 'HEAD'), `ref: refs/heads/${defaultBranch}\n`),
  ]);
  if (alternate !== undefined)
    await writeFile(join(path, 'objects/info/alternates'), `${join(alternate, 'objects')}\n`);
}

/**
 * Syncs a repository with its loose objects to disk, except for the entry of its own folder in the parent. git syncs its
 * packs itself, and empty folders need no sync because git creates them again.
 */
export async function syncBare(path: string): Promise<void> {
  const objects = join(path, 'objects');
  const hasPacks = (await readdir(join(objects, 'pack'))).length > 0;
  const below = [...(await looseObjects(objects)), ...(await looseFolders(objects)), '.'];
  if (hasPacks) below.push('pack');
  const files = ['config', 'HEAD', '.', 'refs', ...below.map((name) => join('objects', name))];
  await eachOf(files, 4, (name) => fsync(join(path, name)));
}
