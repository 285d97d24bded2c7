import type { Hash } from '../port/hash.js';
import type { ObjectType } from '../port/objects.js';
import type { GitProgram } from '../program/git-program.js';

/** What an object is. Its size is that of the content, in bytes, however well it is packed. */
export interface ObjectInfo {
  /** The words asked for. */
  readonly asked: string;
  readonly hash: Hash;
  readonly type: ObjectType;
  readonly size: number;
}

/** What objects are, without reading them, however large they are. Those that are missing are left out. */
export async function infoOf(
  program: GitProgram,
  path: string,
  asked: readonly string[],
): Promise<ObjectInfo[]> {
  if (asked.length === 0) return [];
  const input = `${asked.join('\n')}\n`;
  const { stdout } = await program.run(path, ['cat-file', '--batch-check'], { input });
  const lines = stdout.toString().split('\n');
  return asked.flatMap((words, index) => {
    const info = parseInfo(lines[index] ?? '');
    return info ? [{ asked: words, ...info }] : [];
  });
}

/** Reads a line of `cat-file --batch`; undefined where there is no such object, or not only one. */
export function parseInfo(line: string): Omit<ObjectInfo, 'asked'> | undefined {
  const [, hash, type, size] = /^([0-9a-f]{40}) (commit|tree|blob|tag) (\d+)$/.exec(line) ?? [];
  return hash === undefined ? undefined : { hash, type: type as ObjectType, size: Number(size) };
}
