import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Git } from '../../../git/git.js';
import type { Hash } from '../../../git/port/hash.js';
import type { Blob } from '../../../git/port/objects.js';
import { stringifyJson } from '../../../values/json.js';
import { Download, JSON_TYPE } from '../../answers/answer.js';

/** The maximum size in bytes of a file whose content is included. */
export const MAX_CONTENT_BYTES = 10 * 1024 * 1024;
/** Larger files, in bytes, are streamed; of those each client may have some at a time. */
export const MAX_IN_MEMORY = 2 * 1024 * 1024;

/** A blob by its hash, and the client that asks for it. */
interface AskedBlob {
  readonly repositoryId: number;
  readonly hash: Hash;
  readonly client: string;
}

/**
 * Answers with the fields of a blob and its `content` in base64, which is empty if it is too large, and streamed if it is
 * large. Undefined if there is no such blob.
 */
export async function contentAnswer(
  git: Pick<Git, 'blob' | 'blobStream'>,
  { repositoryId, hash, client }: AskedBlob,
  fieldsOf: (blob: Blob) => object,
): Promise<object | undefined> {
  const blob = await git.blob(repositoryId, hash, MAX_IN_MEMORY);
  if (!blob) return undefined;
  const fields = { ...fieldsOf(blob), encoding: 'base64' };
  const { content, size } = blob;
  if (content || size > MAX_CONTENT_BYTES) return { ...fields, content: content?.toString('base64') ?? '' };
  const opened = await git.blobStream(repositoryId, hash, client);
  if (!opened) return undefined;
  await once(opened.stream, 'readable'); // what fails until then is still answered
  return streamed(fields, opened);
}

function streamed(fields: object, { size, stream }: { size: number; stream: Readable }): Download {
  const start = `${stringifyJson({ ...fields, content: undefined }).slice(0, -1)},"content":"`;
  const end = '"}';
  const length = Buffer.byteLength(start) + 4 * Math.ceil(size / 3) + end.length;
  async function* pieces() {
    yield start;
    yield* inBase64(stream);
    yield end;
  }
  const body = Readable.from(pieces(), { objectMode: false }).once('close', () => stream.destroy());
  return new Download(200, { 'Content-Type': JSON_TYPE, 'Content-Length': String(length) }, body);
}

async function* inBase64(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    rest = bytes.subarray(whole);
  }
  yield rest.toString('base64');
}
