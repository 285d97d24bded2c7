import type { Language } from 'linguist-languages';

/** The language of an ambiguous extension, if it is not the one that lists the extension first. */
const MEANT: Readonly<Record<string, string>> = {
  '.al': 'AL',
  '.bas': 'BASIC',
  '.cl': 'Common Lisp',
  '.cls': 'TeX',
  '.d': 'D',
  '.e': 'Eiffel',
  '.es': 'JavaScript',
  '.f': 'Fortran',
  '.for': 'Fortran',
  '.fpp': 'Fortran',
  '.fs': 'F#',
  '.gd': 'GDScript',
  '.html': 'HTML',
  '.inc': 'PHP',
  '.m': 'Objective-C',
  '.md': 'Markdown',
  '.ml': 'OCaml',
  '.mod': 'Modula-2',
  '.php': 'PHP',
  '.pp': 'Puppet',
  '.pro': 'Prolog',
  '.r': 'R',
  '.rs': 'Rust',
  '.s': 'Assembly',
  '.scm': 'Scheme',
  '.spec': 'Python',
  '.t': 'Perl',
  '.v': 'Verilog',
};

/** Tells whether a language counts in the statistics of repositories. */
const isWritten = ({ type }: Language) => type === 'programming' || type === 'markup';

/** The languages in statistics of repositories; data and prose do not count. */
export interface KnownLanguages {
  /** Returns the language of a file, or its parent language, by the file's name alone; undefined for other files. */
  readonly languageOf: (fileName: string) => string | undefined;
}

let known: Promise<KnownLanguages> | undefined;

/** Loads GitHub's list of languages on first use, because it is large. */
export const knownLanguages = (): Promise<KnownLanguages> => (known ??= load());

async function load(): Promise<KnownLanguages> {
  const all = Object.values<Language>(await import('linguist-languages'));
  const byName = new Map<string, string>();
  const candidates = new Map<string, Language[]>();
  for (const language of all) {
    for (const fileName of language.filenames ?? [])
      if (isWritten(language)) byName.set(fileName, groupOf(language));
    for (const ending of language.extensions ?? [])
      candidates.set(ending, [...(candidates.get(ending) ?? []), language]);
  }
  const byEnding = new Map([...candidates].map(([ending, languages]) => [ending, meant(ending, languages)]));
  const longest = Math.max(...Array.from(byEnding.keys(), ({ length }) => length));
  // Only the end is looked at: a pushed name may have thousands of dots.
  return { languageOf: (fileName) => byName.get(fileName) ?? ofEnding(fileName.slice(-longest), byEnding) };
}

const groupOf = ({ name, group = name }: Language): string => group;

/**
 * Chooses the language of an extension: the usual one, else the one that lists it first, else any; undefined if that is
 * data or prose.
 */
function meant(ending: string, languages: readonly Language[]): string | undefined {
  const language =
    languages.find(({ name }) => name === MEANT[ending]) ??
    languages.find(({ extensions }) => extensions?.[0] === ending) ??
    languages[0];
  return language && isWritten(language) ? groupOf(language) : undefined;
}

/** Looks up the longest known extension: `.d.ts` before `.ts`. */
function ofEnding(fileName: string, byEnding: ReadonlyMap<string, string | undefined>): string | undefined {
  const lower = fileName.toLowerCase();
  for (let dot = lower.indexOf('.'); dot >= 0; dot = lower.indexOf('.', dot + 1)) {
    const language = byEnding.get(lower.slice(dot));
    if (language !== undefined) return language;
  }
  return undefined;
}
