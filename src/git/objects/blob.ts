import type { Hash } from '../port/hash.js';
import type { Blob } from '../port/objects.js';
import type { GitProgram } from '../program/git-program.js';
import { NEWLINE } from '../program/records.js';
import { parseInfo } from './info.js';

/** Reads a blob with one program, whose output begins with the size: content beyond `maxBytes` is not read. */
export async function readBlob(
  program: GitProgram,
  path: string,
  hash: Hash,
  maxBytes: number,
): Promise<Blob | undefined> {
  let head: Buffer = Buffer.alloc(0);
  let info: ReturnType<typeof parseInfo>;
  const pieces: Buffer[] = [];
  const take = (chunk: Buffer) => {
    if (info) {
      pieces.push(chunk);
      return undefined;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(NEWLINE);
    if (end < 0) return undefined;
    info = parseInfo(head.toString('latin1', 0, end));
    if (info?.type !== 'blob' || info.size > maxBytes) return 'enough';
    pieces.push(head.subarray(end + 1));
    return undefined;
  };
  await program.stream(path, ['cat-file', '--batch'], { input: `${hash}\n` }, take);
  if (info?.type !== 'blob') return undefined;
  const { size } = info;
  return { hash, size, content: size > maxBytes ? undefined : Buffer.concat(pieces).subarray(0, size) };
}
