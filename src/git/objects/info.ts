import type { Hash } from '../port/hash.js';
import type { ObjectType } from '../port/objects.js';
import type { GitProgram } from '../program/git-program.js';

/** The type and size of an object. The size is that of its uncompressed content in bytes. */
export interface ObjectInfo {
  /** The expression by which the object was asked for. */
  readonly asked: string;
  readonly hash: Hash;
  readonly type: ObjectType;
  readonly size: number;
}

/** Returns the types and sizes of objects without reading them. Missing objects are left out. */
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

/** Parses a line of `cat-file --batch`; undefined if there is no such object, or if the expression is ambiguous. */
export function parseInfo(line: string): Omit<ObjectInfo, 'asked'> | undefined {
  const [, hash, type, size] = /^([0-9a-f]{40}) (commit|tree|blob|tag) (\d+)$/.exec(line) ?? [];
  return hash === undefined ? undefined : { hash, type: type as ObjectType, size: Number(size) };
}
