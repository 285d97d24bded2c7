import { is, Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { snapshotForm } from '../snapshot.js';

/** Bytes by language. */
export type LanguageSizes = Readonly<Record<string, number>>;

type Measured = { commit: string; languages: LanguageSizes; at: string };

/**
 * Records the sizes that were measured at a commit. Unchanged sizes record nothing. `TakeLanguages` records those of the
 * base of a fork, unless the fork has been measured by now.
 */
export type RepositoryLanguagesCommand =
  | Message<'RecordLanguages', Measured>
  | Message<'TakeLanguages', Measured>;

// Stored for good: fields may be added, never renamed or removed.
/** The sizes changed. Those of `commit` replace all earlier ones. */
export type RepositoryLanguagesEvent = Message<
  'LanguagesMeasured',
  {
    /** The measured commit, the tip of the default branch. */
    commit: string;
    languages: LanguageSizes;
    measuredAt: string;
  }
>;

interface State {
  readonly languages: LanguageSizes;
}

/**
 * The languages of a repository. They are in a stream of their own, because they change with every push and would make
 * moves of refs lose the race for the repository's stream.
 */
export const RepositoryLanguages: Decider<RepositoryLanguagesCommand, RepositoryLanguagesEvent, State> = {
  category: 'languages',
  initialState: { languages: {} },
  snapshot: snapshotForm(1),

  evolve: (_, { data: { languages } }) => ({ languages }),

  decide({ type, data: { commit, languages, at } }, state) {
    if (type === 'TakeLanguages' && Object.keys(state.languages).length > 0) return [];
    if (is(Map(languages), Map(state.languages))) return [];
    return [{ type: 'LanguagesMeasured', data: { commit, languages, measuredAt: at } }];
  },
};

/** Sorts languages by bytes, most first, then by name. */
export const mostFirst = (languages: LanguageSizes): LanguageSizes =>
  Object.fromEntries(
    Object.entries(languages).sort(
      ([one, size], [other, otherSize]) => otherSize - size || (one < other ? -1 : 1),
    ),
  );

/** Returns the language with the most bytes; an empty string if there is none. */
export const primaryLanguage = (languages: LanguageSizes): string =>
  Object.keys(mostFirst(languages))[0] ?? '';
