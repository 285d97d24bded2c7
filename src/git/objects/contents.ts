import { GitLimitExceeded } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { GitProgram } from '../program/git-program.js';
import { NEWLINE } from '../program/records.js';
import { infoOf, type ObjectInfo } from './info.js';

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
  return readContents(program, path, infos);
}

/** Reads the whole content of objects with one program. */
export async function readContents(
  program: GitProgram,
  path: string,
  infos: readonly Pick<ObjectInfo, 'hash' | 'size'>[],
): Promise<Map<Hash, Buffer>> {
  if (infos.length === 0) return new Map();
  const input = infos.map(({ hash }) => `${hash}\n`).join('');
  const { stdout } = await program.run(path, ['cat-file', '--batch'], { input });
  let end = 0;
  return new Map(
    infos.map(({ hash, size }) => {
      const start = stdout.indexOf(NEWLINE, end) + 1;
      end = start + size + 1;
      return [hash, stdout.subarray(start, start + size)];
    }),
  );
}
