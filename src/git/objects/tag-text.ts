import type { Hash } from '../port/hash.js';
import type { ObjectType, TagFacts } from '../port/objects.js';
import type { NewTag } from '../port/staging.js';
import { messageOf } from './commit-text.js';
import { parseHeaders, partsOf } from './headers.js';
import { formatSignature, parseSignature } from './signature.js';

const SIGNATURE = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----/gm;

/**
 * Parses an annotated tag. A signature is at the end of its message, and signs everything before it, where other ones
 * may be quoted.
 */
export function parseTag(hash: Hash, text: string, inLetters = (text: string) => text): TagFacts {
  const [header, body] = partsOf(text);
  const headers = parseHeaders(header);
  const tagger = headers.first('tagger');
  const at = Array.from(body.matchAll(SIGNATURE), ({ index }) => index).at(-1);
  const signature = at === undefined ? undefined : body.slice(at);
  return {
    hash,
    name: inLetters(headers.first('tag') ?? ''),
    message: inLetters(body.slice(0, at)),
    ...(tagger !== undefined && { tagger: parseSignature(inLetters(tagger)) }),
    object: { type: headers.first('type') as ObjectType, hash: headers.first('object') ?? '' },
    ...(signature !== undefined && {
      signed: { signature, payload: text.slice(0, text.length - signature.length) },
    }),
  };
}

/** Formats an annotated tag as git stores it. */
export function formatTag({ name, object, tagger, message }: NewTag): string {
  const headers = [
    `object ${object.hash}`,
    `type ${object.type}`,
    `tag ${name}`,
    `tagger ${formatSignature(tagger)}`,
  ];
  return `${headers.join('\n')}\n\n${messageOf(message)}`;
}
