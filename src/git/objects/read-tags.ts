import type { Hash } from '../port/hash.js';
import type { ObjectType, TagFacts } from '../port/objects.js';
import type { GitProgram } from '../program/git-program.js';
import { contentsOf } from './contents.js';
import { inItsEncoding } from './encoding.js';
import { infoOf } from './info.js';
import { parseTag } from './tag-text.js';

/** See `Objects.tagObjects`. */
export async function readTags(
  program: GitProgram,
  path: string,
  hashes: readonly Hash[],
): Promise<Map<Hash, TagFacts>> {
  const contents = await contentsOf(program, path, 'tag', hashes);
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
