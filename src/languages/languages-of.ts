import { LRUCache } from 'lru-cache';
import { mostFirst, type LanguageSizes } from '../domain/repositories/languages.js';
import type { Git } from '../git/git.js';
import type { Hash } from '../git/port/hash.js';
import { knownLanguages } from './known-languages.js';

/** The maximum number of files of a commit that count. */
const MAX_FILES = 100_000;
const REMEMBERED = 1_000;

/** Files by others, generated files, and documentation; GitHub excludes them too. */
const FOREIGN =
  /(^|\/)(\.[^/]+|vendors?|node_modules|bower_components|third[-_]?party|dist|docs?|documentation|examples?|samples?)\/|(^|\/)\.[^/]*$|\.min\.(js|css)$/i;

/** A cache without expiry, because a commit's languages cannot change. */
const remembered = new LRUCache<Hash, LanguageSizes>({ max: REMEMBERED });

/** Computes the languages of a commit by the names of its files, most bytes first; empty if git does not have the commit. */
export async function languagesOf(
  git: Pick<Git, 'files'>,
  repositoryId: number,
  commit: Hash,
): Promise<LanguageSizes> {
  const known = remembered.get(commit);
  if (known) return known;
  const { languageOf } = await knownLanguages();
  const languageAt = (path: string) =>
    FOREIGN.test(path) ? undefined : languageOf(path.slice(path.lastIndexOf('/') + 1));
  const wanted = (path: string) => languageAt(path) !== undefined;
  const files = await git.files(repositoryId, commit, { wanted, limit: MAX_FILES });
  if (!files) return {}; // not cached: another repository may have the commit
  const sizes = new Map<string, number>();
  for (const { path, size } of files) {
    const language = languageAt(path);
    if (language !== undefined) sizes.set(language, (sizes.get(language) ?? 0) + size);
  }
  const languages = mostFirst(Object.fromEntries([...sizes].filter(([, size]) => size > 0)));
  remembered.set(commit, languages);
  return languages;
}
