import { GitLimitExceeded } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { GitProgram } from '../program/git-program.js';
import { NEWLINE } from '../program/records.js';
import { infoOf, parseInfo } from './info.js';

/** The maximum total size of texts read together. Even an author's name, as a substring, keeps the whole text in memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Throws `GitLimitExceeded` if texts of so many bytes are too long together. */
export function checkLength(type: 'commit' | 'tag', bytes: number): void {
  if (bytes > MAX_BYTES) throw new GitLimitExceeded('bytes', `the texts of ${type}s are too long`);
}

/**
 * Reads the whole content of those objects that are of the type, with two programs however many they are. Their sizes are
 * checked first, see `checkLength`.
 */
export async function contentsOf(
  program: GitProgram,
  path: string,
  type: 'commit' | 'tag',
  hashes: readonly Hash[],
): Promise<Map<Hash, Buffer>> {
  const infos = (await infoOf(program, path, hashes)).filter((info) => info.type === type);
  checkLength(
    type,
    infos.reduce((bytes, { size }) => bytes + size, 0),
  );
  return readContents(
    program,
    path,
    infos.map(({ hash }) => hash),
  );
}

/** Reads the whole content of objects with one program. Leaves out those that are missing, as where they are just removed. */
export async function readContents(
  program: GitProgram,
  path: string,
  hashes: readonly Hash[],
): Promise<Map<Hash, Buffer>> {
  const contents = new Map<Hash, Buffer>();
  if (hashes.length === 0) return contents;
  const input = hashes.map((hash) => `${hash}\n`).join('');
  const { stdout } = await program.run(path, ['cat-file', '--batch'], { input });
  for (let at = 0; at < stdout.length;) {
    const start = stdout.indexOf(NEWLINE, at) + 1;
    const info = parseInfo(stdout.toString('latin1', at, start - 1));
    at = info ? start + info.size + 1 : start;
    if (info) contents.set(info.hash, stdout.subarray(start, at - 1));
  }
  return contents;
}
