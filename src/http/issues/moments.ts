import type { Actions } from '../actions.js';
import { Refused } from '../refused.js';
import type { RepositoryMet } from '../repositories/place.js';
import { mayDate } from './place.js';

/** Returns the time of a change: now, or the time that a repository administrator gives, between `earliest` and now. */
export function changedAt(
  { parent, now }: Pick<Actions, 'now'> & { readonly parent: RepositoryMet },
  updatedAt: string | undefined,
  earliest: Date,
): string {
  if (updatedAt === undefined) return now();
  if (!mayDate(parent)) throw new Refused(403, 'updated_at is for administrators of the repository');
  const moment = new Date(updatedAt);
  if (moment < new Date(Math.floor(earliest.getTime() / 1000) * 1000) || moment > new Date(now()))
    throw new Refused(403, 'updated_at must lie between the creation and now');
  return moment.toISOString();
}
