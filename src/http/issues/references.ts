import { invalid } from '../../domain/errors.js';
import type { ExclusiveScopes, Remaining } from '../../domain/issues/issue-messages.js';
import { exclusiveScope } from '../../domain/labels/label.js';
import type { Queryable } from '../../database/queryable.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import type { IssueRow } from '../../queries/issues/issues.js';
import { listForeignLabels, listUsableLabels } from '../../queries/issues/labels.js';
import { findMilestoneById } from '../../queries/issues/milestones.js';
import { listAssignable } from '../../queries/repositories/collaborators.js';
import type { RepositoryBrief } from '../../queries/repositories/repositories.js';
import type { Principal } from '../caller.js';
import { peopleSeenIn } from '../repositories/people.js';
import type { RepositoryMet } from '../repositories/place.js';
import type { PresenterServices } from '../services.js';

/** Label ids in the order of naming, and which of the repository's labels exclude each other. */
export interface ChosenLabels {
  readonly labelIds: readonly number[];
  readonly scopes: ExclusiveScopes;
}

/** The issue that is to have the labels, and what becomes of one that is unknown. Both may be left out. */
interface Labelling {
  readonly issue?: Pick<IssueRow, 'label_ids'>;
  readonly unknown?: 'refuse' | 'leave out';
}

/**
 * Finds the labels that ids and names mean, among the repository's and then its organization's. An unknown one is skipped
 * if `unknown` says so; otherwise throws 422. Labels of another organization that the issue still carries are excluded too:
 * they show again when the repository returns.
 */
export async function labelsNamed(
  db: Queryable,
  repository: RepositoryBrief,
  wanted: readonly (number | string)[],
  { issue, unknown = 'refuse' }: Labelling = {},
): Promise<ChosenLabels> {
  const [usable, hidden] = await Promise.all([
    listUsableLabels(db, repository),
    listForeignLabels(db, repository, issue?.label_ids ?? []),
  ]);
  const labelIds = wanted.flatMap((label) => {
    const found = usable.find(({ id, name }) => label === id || label === name);
    if (!found && unknown === 'refuse')
      throw invalid('labels.unknown', 'Labels', `there is no label ${label}`);
    return found ? [found.id] : [];
  });
  const scopes = Object.fromEntries(
    [...usable, ...hidden].flatMap((label) => {
      const scope = exclusiveScope(label);
      return scope === undefined ? [] : [[String(label.id), scope] as const];
    }),
  );
  return { labelIds, scopes };
}

/** Where assignees are named: in an issue, or in a repository for a new one. */
export interface Assigning {
  readonly parent: RepositoryMet & { readonly issue?: Pick<IssueRow, 'assignee_ids' | 'poster_id'> };
  readonly caller: Principal;
  readonly db: Queryable;
}

/**
 * Finds the users of these names. Throws 422 for one who cannot be assigned, or whom the caller neither
 * may know of nor sees in the issue.
 */
export async function assigneesNamed(
  { parent, caller, db }: Assigning,
  names: readonly string[],
): Promise<number[]> {
  if (names.length === 0) return [];
  const { repository, issue } = parent;
  const shown = issue ? [issue.poster_id, ...issue.assignee_ids] : [];
  const assignable = await listAssignable(db, repository, peopleSeenIn(parent, caller), shown);
  const byName = new Map(assignable.map(({ id, lower_name }) => [lower_name, id]));
  return names.map((name) => {
    const id = byName.get(accountNameKey(name));
    if (id === undefined) throw invalid('assignees.unknown', 'Assignees', `${name} cannot be assigned`);
    return id;
  });
}

/** Checks that the repository has this milestone, and returns its id; null for 0. Throws 422 if it has none. */
export async function milestoneWithId(
  db: Queryable,
  repositoryId: number,
  id: number,
): Promise<number | null> {
  if (id === 0) return null;
  if (!(await findMilestoneById(db, repositoryId, id)))
    throw invalid('milestone.unknown', 'Milestone', `there is no milestone ${id}`);
  return id;
}

/** Returns what the issue names and what still exists. */
export async function remainingOf(
  { accountFacts }: Pick<PresenterServices, 'accountFacts'>,
  { revision, milestone, assignee_ids: assigned, label_ids: labelIds }: IssueRow,
): Promise<Remaining> {
  const accounts = await accountFacts.findEach(assigned);
  return {
    revision,
    milestoneId: milestone?.id ?? null,
    assigneeIds: assigned.filter((id) => accounts.has(id)),
    labelIds,
  };
}
