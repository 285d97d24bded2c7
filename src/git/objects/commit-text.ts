import { withoutEnd } from '../../without-end.js';
import type { Hash } from '../port/hash.js';
import type { CommitFacts } from '../port/objects.js';
import type { NewCommit } from '../port/staging.js';
import { parseHeaders } from './headers.js';
import { formatSignature, parseSignature } from './signature.js';

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
export function parseCommitText(hash: Hash, text: string): CommitFacts {
  const end = text.indexOf('\n\n');
  return end < 0 ? parseCommit(hash, text, '') : parseCommit(hash, text.slice(0, end), text.slice(end + 2));
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
