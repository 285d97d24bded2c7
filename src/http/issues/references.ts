import { invalid } from '../../domain/errors.js';
import type { ExclusiveScopes } from '../../domain/issues/issue-messages.js';
import { exclusiveScope } from '../../domain/labels/label.js';
import type { Queryable } from '../../database/database.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import { listUsableLabels } from '../../queries/issues/labels.js';
import { findMilestone } from '../../queries/issues/milestones.js';
import { listAssignable } from '../../queries/repositories/collaborators.js';
import type { RepositoryBrief } from '../../queries/repositories/repositories.js';

/** The ids of labels in the order in which they were named, and the scopes in which any of the repository's exclude each other. */
export interface ChosenLabels {
  readonly labelIds: readonly number[];
  readonly scopes: ExclusiveScopes;
}

/**
 * The labels that a list of ids and names means: the repository's own, then its organization's. Refuses what names
 * none, or leaves it out where `unknown` says so.
 */
export async function labelsNamed(
  db: Queryable,
  repository: RepositoryBrief,
  wanted: readonly (number | string)[],
  unknown: 'refuse' | 'leave out' = 'refuse',
): Promise<ChosenLabels> {
  const usable = await listUsableLabels(db, repository);
  const labelIds = wanted.flatMap((label) => {
    const found = usable.find(({ id, name }) => label === id || label === name);
    if (!found && unknown === 'refuse')
      throw invalid('labels.unknown', 'Labels', `there is no label ${label}`);
    return found ? [found.id] : [];
  });
  const scopes = Object.fromEntries(
    usable.flatMap((label) => {
      const scope = exclusiveScope(label);
      return scope === undefined ? [] : [[String(label.id), scope] as const];
    }),
  );
  return { labelIds, scopes };
}

/** The users of these names, each of whom can be assigned; refuses the others. */
export async function assigneesNamed(
  db: Queryable,
  repository: RepositoryBrief,
  names: readonly string[],
): Promise<number[]> {
  if (names.length === 0) return [];
  const assignable = await listAssignable(db, repository);
  const byName = new Map(assignable.map(({ id, lower_name }) => [lower_name, id]));
  return names.map((name) => {
    const id = byName.get(accountNameKey(name));
    if (id === undefined) throw invalid('assignees.unknown', 'Assignees', `${name} cannot be assigned`);
    return id;
  });
}

/** The milestone of this id in the repository; null for 0. */
export async function milestoneWithId(
  db: Queryable,
  repositoryId: number,
  id: number,
): Promise<number | null> {
  if (id === 0) return null;
  const milestone = id > 0 ? await findMilestone(db, repositoryId, String(id)) : undefined;
  if (milestone?.id !== id) throw invalid('milestone.unknown', 'Milestone', `there is no milestone ${id}`);
  return id;
}
