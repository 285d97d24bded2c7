import type { Actions } from '../actions.js';
import { tagsIn } from '../entity-tags.js';

/** The entity tag of an issue: the revision of its stream. */
export const etagOf = (revision: number): string => `"${revision}"`;

/** The revisions that `If-Match` wants one of; absent where it wants none. Tags that are weak, or not ours, name no revision. */
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
