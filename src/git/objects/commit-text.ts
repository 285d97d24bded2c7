import { withoutEnd } from '../../values/without-end.js';
import type { Hash } from '../port/hash.js';
import type { CommitFacts } from '../port/objects.js';
import type { NewCommit } from '../port/staging.js';
import { inItsEncoding } from './encoding.js';
import { parseHeaders, partsOf } from './headers.js';
import { formatSignature, parseSignature } from './signature.js';

/** Parses a commit from its headers and its message. `inLetters` decodes its texts. */
export function parseCommit(
  hash: Hash,
  header: string,
  message: string,
  inLetters = (text: string) => text,
): CommitFacts {
  const headers = parseHeaders(header);
  const signature = headers.first('gpgsig');
  return {
    hash,
    tree: headers.first('tree') ?? '',
    parents: headers.all('parent'),
    author: parseSignature(inLetters(headers.first('author') ?? '')),
    committer: parseSignature(inLetters(headers.first('committer') ?? '')),
    message: inLetters(message),
    ...(signature !== undefined && {
      signed: { signature, payload: `${headers.without('gpgsig')}\n${message}` },
    }),
  };
}

/** Parses a commit from its whole text. */
export const parseCommitText = (hash: Hash, text: string): CommitFacts => parseCommit(hash, ...partsOf(text));

/** Parses a commit from its bytes, decoded by the encoding that the commit names. */
export const parseCommitBytes = (hash: Hash, content: Buffer): CommitFacts =>
  inItsEncoding(content, (text, inLetters) => parseCommit(hash, ...partsOf(text), inLetters));

/** Formats a new commit as git stores it; its message ends with a newline. */
export function formatCommit({ tree, parents, author, committer, message }: NewCommit): string {
  const headers = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${formatSignature(author)}`,
    `committer ${formatSignature(committer)}`,
  ];
  return `${headers.join('\n')}\n\n${messageOf(message)}`;
}

/** Returns a message that ends with one newline, without NUL, at which some readers would end it and others not. */
export const messageOf = (text: string) => `${withoutEnd(text.replaceAll('\0', ''), '\n')}\n`;
