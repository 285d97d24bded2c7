import { DomainError } from '../../domain/errors.js';
import type { Actions } from '../actions.js';

/** The entity tag of an issue: the revision of its stream. */
export const etagOf = (revision: number): string => `"${revision}"`;

/** The revision that the caller knows, where it says so; what is no tag of ours matches nothing. */
export function ifRevisionOf({ header }: Pick<Actions, 'header'>): { readonly ifRevision?: number } {
  const given = header('If-Match').trim();
  if (given === '' || given === '*') return {};
  const [, revision] = /^"(\d{1,15})"$/.exec(given) ?? [];
  if (revision === undefined)
    throw new DomainError('precondition', 'issue.changed', 'If-Match names no revision of the issue');
  return { ifRevision: Number(revision) };
}
