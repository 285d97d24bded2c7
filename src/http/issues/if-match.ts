import type { Actions } from '../actions.js';
import { tagsIn } from '../entity-tags.js';

/** The entity tag of an issue: the revision of its stream. */
export const etagOf = (revision: number): string => `"${revision}"`;

/** The revisions in which the caller wants the issue, where it says so; a weak tag and what is no tag of ours is none. */
export function ifRevisionsOf({ header }: Pick<Actions, 'header'>): {
  readonly ifRevisions?: readonly number[];
} {
  const given = header('If-Match').trim();
  if (given === '' || given === '*') return {};
  return {
    ifRevisions: tagsIn(given)
      .flatMap((tag) => /^"(\d{1,15})"$/.exec(tag)?.[1] ?? [])
      .map(Number),
  };
}
