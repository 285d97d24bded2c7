import { GitLimitExceeded } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { GitProgram } from '../program/git-program.js';
import { NEWLINE } from '../program/records.js';
import { infoOf } from './info.js';

/** Of the texts that are read at once, with all their headers: the name of an author keeps the whole text in memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Refuses texts of so many bytes in all. Throws `GitLimitExceeded`. */
export function checkLength(type: 'commit' | 'tag', bytes: number): void {
  if (bytes > MAX_BYTES) throw new GitLimitExceeded('bytes', `the texts of ${type}s are too long`);
}

/**
 * What those of the objects hold that are of the type, each whole, by as many programs for many as for one. Nothing that is
 * large is read before its size is known: see `checkLength`.
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
