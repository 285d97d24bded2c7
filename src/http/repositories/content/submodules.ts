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

/** `[section "name"]`; in the name a backslash stands before what it takes as it is. */
const HEAD = String.raw`\[[ \t]*([\w.-]+)(?:[ \t]+"((?:\\.|[^"\\\n])*)")?[ \t]*\]`;
/** Up to a comment or the end of the line: escaped characters, a line end among them, parts in quotes, and others. */
const VALUE = String.raw`(?:\\[^]|"(?:\\[^]|[^"\\\n])*"?|[^"\\\n#;])*`;
const VARIABLE = String.raw`([a-z][\w-]*)[ \t]*=(${VALUE})`;
/** The head of a section, a variable, or both, as a line of git's configuration has them. */
const LINE = new RegExp(String.raw`^[ \t]*(?:${HEAD}[ \t]*)?(?:${VARIABLE})?`, 'gim');

/** Of a file in the format of git's configuration: the sections of one name are one, and the last value of a key counts. */
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

/** A value without its quotes, and what is escaped in it. */
const plain = (value: string): string =>
  value.replace(/\\([^])|"/g, (_, escaped?: string) =>
    escaped === undefined ? '' : (ESCAPES[escaped] ?? escaped),
  );
