import type { Git } from '../../../git/git.js';
import type { Hash } from '../../../git/port/hash.js';

const MAX_BYTES = 256 * 1024;

/** Returns the URLs of a commit's submodules by path; none for those missing in `.gitmodules`. */
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

/** Matches `[section "name"]`; in the name a backslash escapes the next character. */
const HEAD = String.raw`\[[ \t]*([\w.-]+)(?:[ \t]+"((?:\\.|[^"\\\n])*)")?[ \t]*\]`;
/** Matches a value, up to a comment or the line's end: escaped characters (also line ends), quoted parts, and others. */
const VALUE = String.raw`(?:\\[^]|"(?:\\[^]|[^"\\\n])*"?|[^"\\\n#;])*`;
const VARIABLE = String.raw`([a-z][\w-]*)[ \t]*=(${VALUE})`;
/** Matches a line of git's configuration format: a section's head, a variable, or both. */
const LINE = new RegExp(String.raw`^[ \t]*(?:${HEAD}[ \t]*)?(?:${VARIABLE})?`, 'gim');

/** Parses git's configuration format. Sections of the same name are merged, and the last value of a key counts. */
export function parseSubmodules(text: string): ReadonlyMap<string, string> {
  const submodules = new Map<string, { path?: string; url?: string }>();
  let current: { path?: string; url?: string } | undefined;
  for (const [, section, name, key, value = ''] of text.replaceAll('\r\n', '\n').matchAll(LINE)) {
    if (section !== undefined) {
      const isSubmodule = section.toLowerCase() === 'submodule' && name !== undefined;
      current = isSubmodule ? (submodules.get(name) ?? {}) : undefined;
      if (isSubmodule && current) submodules.set(name, current);
    }
    const field = key?.toLowerCase();
    if (current && (field === 'path' || field === 'url')) current[field] = plain(value.trim());
  }
  return new Map(
    [...submodules.values()].flatMap(({ path, url }) => (path && url ? [[path, url] as const] : [])),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '\n': '' };

/** Removes a value's quotes, and resolves its escapes. */
const plain = (value: string): string =>
  value.replace(/\\([^])|"/g, (_, escaped?: string) =>
    escaped === undefined ? '' : (ESCAPES[escaped] ?? escaped),
  );
