import type { Git } from '../../../git/git.js';
import type { Hash } from '../../../git/port/hash.js';

const MAX_BYTES = 256 * 1024;

/** The address of each submodule of a commit, by its path; none where `.gitmodules` does not tell. */
export async function submodulesOf(
  git: Pick<Git, 'entry' | 'blob'>,
  id: number,
  commit: Hash,
): Promise<ReadonlyMap<string, string>> {
  const entry = await git.entry(id, commit, '.gitmodules');
  if (entry?.type !== 'blob' || entry.mode === '120000') return new Map();
  const blob = await git.blob(id, entry.hash, MAX_BYTES);
  return parseSubmodules(blob?.content?.toString() ?? '');
}

/** Of a file in the format of git's configuration. */
export function parseSubmodules(text: string): ReadonlyMap<string, string> {
  const submodules: { path?: string; url?: string }[] = [];
  for (const line of text.split('\n')) {
    if (/^\s*\[/.test(line)) submodules.push({});
    const [, key, value = ''] = /^\s*(path|url)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    const current = submodules.at(-1);
    if (current && key) current[key as 'path' | 'url'] = value.replace(/^"(.*)"$/, '$1');
  }
  return new Map(submodules.flatMap(({ path, url }) => (path && url ? [[path, url] as const] : [])));
}
