import type { Decider, Message } from '../decider.js';
import { snapshotForm } from '../snapshot.js';

/** Bytes by language. */
export type LanguageSizes = Readonly<Record<string, number>>;

/** What was measured at a commit; the same sizes as before record nothing. */
export type RepositoryLanguagesCommand = Message<
  'RecordLanguages',
  { commit: string; languages: LanguageSizes; at: string }
>;

// Stored for good: fields may be added, never renamed or removed.
/** The sizes changed. They are those of `commit`, in place of all that was measured before. */
export type RepositoryLanguagesEvent = Message<
  'LanguagesMeasured',
  {
    /** The tip of the default branch that was measured. */
    commit: string;
    languages: LanguageSizes;
    measuredAt: string;
  }
>;

interface State {
  readonly languages: LanguageSizes;
}

/**
 * What a repository is written in. A stream beside the repository's own: it grows with every push, and whoever moves
 * refs must not be overtaken by it.
 */
export const RepositoryLanguages: Decider<RepositoryLanguagesCommand, RepositoryLanguagesEvent, State> = {
  category: 'languages',
  initialState: { languages: {} },
  snapshot: snapshotForm(1),

  evolve: (_, { data: { languages } }) => ({ languages }),

  decide({ data: { commit, languages, at } }, state) {
    if (same(languages, state.languages)) return [];
    return [{ type: 'LanguagesMeasured', data: { commit, languages, measuredAt: at } }];
  },
};

function same(one: LanguageSizes, other: LanguageSizes): boolean {
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length && entries.every(([name, size]) => other[name] === size)
  );
}

/** Most bytes first, then by name. */
export const mostFirst = (languages: LanguageSizes): LanguageSizes =>
  Object.fromEntries(
    Object.entries(languages).sort(
      ([one, size], [other, otherSize]) => otherSize - size || (one < other ? -1 : 1),
    ),
  );

/** The language with most bytes; empty text where there is none. */
export const primaryLanguage = (languages: LanguageSizes): string =>
  Object.keys(mostFirst(languages))[0] ?? '';
