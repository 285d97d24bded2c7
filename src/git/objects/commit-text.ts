import { TextDecoder } from 'node:util';
import { withoutEnd } from '../../without-end.js';
import type { Hash } from '../port/hash.js';
import type { CommitFacts } from '../port/objects.js';
import type { NewCommit } from '../port/staging.js';
import { parseHeaders } from './headers.js';
import { formatSignature, parseSignature } from './signature.js';
import { withSignedBytes } from './signed-bytes.js';

/** What a commit says, of its headers and its message. */
export function parseCommit(hash: Hash, header: string, message: string): CommitFacts {
  const headers = parseHeaders(header);
  const signature = headers.first('gpgsig');
  return {
    hash,
    tree: headers.first('tree') ?? '',
    parents: headers.all('parent'),
    author: parseSignature(headers.first('author') ?? ''),
    committer: parseSignature(headers.first('committer') ?? ''),
    message,
    ...(signature !== undefined && {
      signed: { signature, payload: `${headers.without('gpgsig')}\n${message}` },
    }),
  };
}

/** As `parseCommit`, of the whole text. */
export const parseCommitText = (hash: Hash, text: string): CommitFacts => parseCommit(hash, ...partsOf(text));

/** As `parseCommit`, of the very bytes: names and message come in letters, whatever encoding the commit says that it is in. */
export function parseCommitBytes(hash: Hash, content: Buffer): CommitFacts {
  const facts = withSignedBytes(content, (text) => parseCommitText(hash, text));
  const [header, message] = partsOf(content.toString('latin1'));
  const headers = parseHeaders(header);
  const decoder = decoderOf(headers.first('encoding'));
  if (!decoder) return facts;
  const inLetters = (bytes = '') => decoder.decode(Buffer.from(bytes, 'latin1'));
  return {
    ...facts,
    author: parseSignature(inLetters(headers.first('author'))),
    committer: parseSignature(inLetters(headers.first('committer'))),
    message: inLetters(message),
  };
}

/** Whether a commit may say, in an encoding that it names, something else than its text shows as UTF-8. */
export const isEncoded = (header: string, message: string): boolean =>
  [header, message].some((text) => text.includes('\ufffd') || text.includes('\u001b')) &&
  decoderOf(parseHeaders(header).first('encoding')) !== undefined;

/** Undefined for UTF-8, which is what a commit that names none is in, and for what nobody knows. */
function decoderOf(encoding: string | undefined): TextDecoder | undefined {
  if (encoding === undefined) return undefined;
  try {
    const decoder = new TextDecoder(encoding);
    return decoder.encoding === 'utf-8' ? undefined : decoder;
  } catch {
    return undefined;
  }
}

/** The headers of a commit, and its message. */
function partsOf(text: string): [string, string] {
  const end = text.indexOf('\n\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)];
}

/** The text of a new commit; its message ends with a newline. */
export function formatCommit({ tree, parents, author, committer, message }: NewCommit): string {
  const headers = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${formatSignature(author)}`,
    `committer ${formatSignature(committer)}`,
  ];
  return `${headers.join('\n')}\n\n${messageOf(message)}`;
}

/** A NUL would end the message for some readers and not for others. */
export const messageOf = (text: string) => `${withoutEnd(text.replaceAll('\0', ''), '\n')}\n`;
