import type { Hash } from '../port/hash.js';
import type { GitProgram } from '../program/git-program.js';
import { NEWLINE } from '../program/records.js';
import type { ObjectInfo } from './info.js';

/** What these objects hold, each whole, by one program; whoever asks has looked at their sizes. */
export async function contentsOf(
  program: GitProgram,
  path: string,
  infos: readonly ObjectInfo[],
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
