import type { Actions } from '../actions.js';
import { tagsIn } from '../answers/entity-tags.js';

/** Makes the entity tag of an issue, which is the revision of its stream. */
export const etagOf = (revision: number): string => `"${revision}"`;

/** Returns the revisions that `If-Match` allows; none if it allows any. Weak and foreign tags match no revision. */
export function ifRevisionsOf({ header }: Pick<Actions, 'header'>): {
  readonly ifRevisions?: readonly number[];
} {
  const given = header('If-Match').trim();
  if (given === '' || given === '*') return {};
  return {
    ifRevisions: tagsIn(given)
      .flatMap((tag) => /^"(0|[1-9]\d{0,14})"$/.exec(tag)?.[1] ?? [])
      .map(Number),
  };
}
