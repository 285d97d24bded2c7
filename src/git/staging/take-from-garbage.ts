import { join } from 'node:path';
import { looseBytes } from '../disk/loose.js';
import { packFolder, packsOf } from '../disk/packs.js';
import type { Parts } from '../parts.js';
import { isHash, type Hash } from '../port/hash.js';
import { listRefs } from '../refs/list.js';

/** A staging area, and the repository that it belongs to. */
export interface Staged {
  readonly path: string;
  readonly repository: string;
  /** What was written into it, as `rev-list` is asked for it: each commit, and with `^` those that it stands on. */
  readonly written: readonly string[];
}

/** Tells whether a repository holds objects that `gc` may drop at any moment. */
export const hasGarbage = async (repository: string): Promise<boolean> =>
  (await packsOf(repository)).garbage.length > 0;

/**
 * Copies into a staging area what was written or fetched there and the repository holds as garbage only: neither libgit2
 * writes nor a fetch brings what the repository has already. Rejects if that has been dropped meanwhile. A pack that was
 * fetched lacks nothing.
 */
export async function takeFromGarbage(
  { program }: Pick<Parts, 'program'>,
  { path, repository, written }: Staged,
): Promise<void> {
  if ((await packsOf(path)).lasting.length > 0) return;
  const refsOf = async (place: string) => [...(await listRefs({ program }, place)).values()];
  const fetched = await refsOf(path);
  const known = fetched.length > 0 ? (await refsOf(repository)).map(without) : [];
  const list = ['rev-list', '--objects', '--no-object-names', '--stdin'];
  const { stdout } = await program.run(path, list, { input: lines([...written, ...fetched, ...known]) });
  const missing: Hash[] = [];
  for (const hash of stdout.toString('latin1').split('\n').filter(isHash))
    if ((await looseBytes(join(path, 'objects'), hash)) === undefined) missing.push(hash);
  if (missing.length === 0) return;
  const leftOut = (await packsOf(repository)).lasting.map((name) => `--keep-pack=${name}`);
  const copy = ['pack-objects', '--quiet', '--non-empty', ...leftOut, join(packFolder(path), 'pack')];
  await program.run(repository, copy, { input: lines(missing) });
}

/** Has `rev-list` leave out an object, and all that it leads to. */
export const without = (hash: Hash): string => `^${hash}`;

const lines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');
