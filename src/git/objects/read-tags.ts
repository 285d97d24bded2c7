import { GitLimitExceeded } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { ObjectType, TagFacts } from '../port/objects.js';
import type { GitProgram } from '../program/git-program.js';
import { contentsOf } from './contents.js';
import { inItsEncoding } from './encoding.js';
import { infoOf } from './info.js';
import { parseTag } from './tag-text.js';

/** Of the texts of tags that are read at once. */
const MAX_BYTES = 32 * 1024 * 1024;

/** See `Objects.tagObjects`. Nothing that is large is read before its size is known. */
export async function readTags(
  program: GitProgram,
  path: string,
  hashes: readonly Hash[],
): Promise<Map<Hash, TagFacts>> {
  const infos = (await infoOf(program, path, hashes)).filter(({ type }) => type === 'tag');
  if (infos.reduce((bytes, { size }) => bytes + size, 0) > MAX_BYTES)
    throw new GitLimitExceeded('bytes', 'the texts of tags are too long');
  const contents = await contentsOf(program, path, infos);
  return new Map(
    Array.from(contents, ([hash, content]) => [
      hash,
      inItsEncoding(content, (text, inLetters) => parseTag(hash, text, inLetters)),
    ]),
  );
}

/** See `Objects.peel`. */
export async function peelTags(
  program: GitProgram,
  path: string,
  tags: readonly TagFacts[],
): Promise<Map<Hash, Hash>> {
  const of = (type: ObjectType) => tags.filter(({ object }) => object.type === type);
  const suffix = '^{commit}';
  const infos = await infoOf(
    program,
    path,
    of('tag').map(({ hash }) => hash + suffix),
  );
  return new Map([
    ...of('commit').map(({ hash, object }) => [hash, object.hash] as const),
    ...infos.map(({ asked, hash }) => [asked.slice(0, -suffix.length), hash] as const),
  ]);
}
