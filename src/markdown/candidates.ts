/** The names in a text that may be references, to be looked up before the text is rendered. */
export interface Candidates {
  /** Lower-case names. */
  readonly accounts: readonly string[];
  /** Lower-case `organization/team`. */
  readonly teams: readonly string[];
  /** Lower-case `owner/name`. */
  readonly repositories: readonly string[];
  readonly commits: readonly string[];
}

/** The maximum number of candidates of each kind; further ones stay plain text. */
const MAX_CANDIDATES = 100;

const ACCOUNT = /(?<![\w/.-])@([\w][\w.-]{0,98}\w|\w)/g;
const TEAM = /(?<![\w/.-])@(\w[\w.-]{0,98}\/\w[\w.-]{0,254})/g;
/** Looks ahead for the slash first, because most words have none. */
const REPOSITORY = /(?<![\w./-])(?=[\w.-]{1,100}\/)([\w.-]{1,100}\/[\w.-]{1,100})[#!@](?=[\da-f])/gi;
const COMMIT = /(?<![\w/.-])[\da-f]{7,40}(?![\w-])/g;

/** A sign with a backslash before it, as in `a\_b`, which editors write that escape whatever could be markup. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** Finds every name, repository and hash at which a reference may stand, in time linear in the length of the text. */
export function candidatesIn(source: string): Candidates {
  const text = source.replace(ESCAPED, '$1');
  return {
    accounts: distinct(text, ACCOUNT, 1),
    teams: distinct(text, TEAM, 1).map((name) => name.replace(/[.-]+$/, '')),
    repositories: distinct(text, REPOSITORY, 1),
    commits: distinct(text, COMMIT, 0),
  };
}

function distinct(text: string, pattern: RegExp, group: number): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(pattern)) {
    found.add((match[group] ?? '').toLowerCase());
    if (found.size === MAX_CANDIDATES) break;
  }
  return [...found];
}
