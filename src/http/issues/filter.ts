import type { z } from 'zod';
import { invalid, notFound } from '../../domain/errors.js';
import type { Queryable } from '../../database/queryable.js';
import type { IssueFilter } from '../../queries/issues/issue-filter.js';
import { listLabelsNamed } from '../../queries/issues/labels.js';
import { findMilestoneIds } from '../../queries/issues/milestones.js';
import type { RepositoryBrief } from '../../queries/repositories/repositories.js';
import type { Caller } from '../caller.js';
import { knownAccountNamed } from '../find.js';
import { listed, MOST_CONDITIONS } from '../query.js';
import { rangeOf } from './times.js';
import type { IssuesQuery } from './schema.js';

/**
 * Makes the filter of a query; undefined if nothing can match. Throws 404 for an account that does not exist or that the
 * caller may not know of.
 */
export async function filterFor(
  db: Queryable,
  repository: RepositoryBrief,
  query: z.output<typeof IssuesQuery>,
  caller: Caller,
): Promise<IssueFilter | undefined> {
  const range = rangeOf(query);
  const [posterId, assigneeId] = await Promise.all(
    [query.created_by, query.assigned_by, query.mentioned_by].map((name) => knownAccountId(db, name, caller)),
  );
  if (query.type === 'pulls') return undefined; // there are no pull requests
  const labelIds = await labelGroups(db, repository, listed(query.labels));
  const milestones = listed(query.milestones);
  const milestoneIds =
    milestones.length > 0 ? await findMilestoneIds(db, repository.id, milestones) : undefined;
  if (!labelIds || milestoneIds?.length === 0) return undefined;
  return {
    isClosed: stateOf(query.state),
    labelIds,
    milestoneIds,
    words: wordsIn(query.q),
    ...range,
    posterId,
    assigneeId,
    mentioned: query.mentioned_by,
  };
}

/** Returns whether to find closed issues or open ones, which are the default; undefined for all. */
export const stateOf = (word: string | undefined): boolean | undefined =>
  word === 'all' ? undefined : word === 'closed';

/** Splits a search into words. Those beyond the first `MOST_CONDITIONS` are dropped. */
export const wordsIn = (text: string | undefined): string[] =>
  (text ?? '').split(/\s+/).filter(Boolean).slice(0, MOST_CONDITIONS);

/**
 * Returns the labels of each known name; undefined if names are given but none is known. Throws 422 if more are known than
 * one query asks for.
 */
async function labelGroups(
  db: Queryable,
  repository: RepositoryBrief,
  names: readonly string[],
): Promise<number[][] | undefined> {
  if (names.length === 0) return [];
  const labels = await listLabelsNamed(db, repository, names);
  const groups = names
    .map((name) => labels.filter((label) => label.name === name).map(({ id }) => id))
    .filter((ids) => ids.length > 0);
  if (groups.length > MOST_CONDITIONS)
    throw invalid('issues.labels', 'Labels', `at most ${MOST_CONDITIONS} at a time`);
  return groups.length > 0 ? groups : undefined;
}

async function knownAccountId(
  db: Queryable,
  name: string | undefined,
  caller: Caller,
): Promise<number | undefined> {
  if (name === undefined) return undefined;
  const account = await knownAccountNamed(db, name, caller);
  if (!account) throw notFound('account.absent', 'no such user');
  return account.id;
}
