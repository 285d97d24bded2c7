import type { Hash } from '../port/hash.js';
import type { Blob } from '../port/objects.js';
import type { GitProgram } from '../program/git-program.js';
import { NEWLINE } from '../program/records.js';
import { readContents } from './contents.js';
import { infoOf, parseInfo, type ObjectInfo } from './info.js';

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

/** Reads blobs with two programs however many they are. Content beyond `maxBytes` of one is not read. */
export async function readBlobs(
  program: GitProgram,
  path: string,
  hashes: readonly Hash[],
  maxBytes: number,
): Promise<Map<Hash, Blob>> {
  const infos = (await infoOf(program, path, hashes)).filter(({ type }) => type === 'blob');
  const isRead = ({ size }: ObjectInfo) => size <= maxBytes;
  const contents = await readContents(
    program,
    path,
    infos.filter(isRead).map(({ hash }) => hash),
  );
  const found = infos.filter((info) => !isRead(info) || contents.has(info.hash));
  return new Map(found.map(({ hash, size }) => [hash, { hash, size, content: contents.get(hash) }]));
}
