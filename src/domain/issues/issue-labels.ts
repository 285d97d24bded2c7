import type { OrderedSet } from 'immutable';
import { invalid } from '../errors.js';
import { idsChanged } from './ids-changed.js';
import type { ExclusiveScopes, IssueCommand, IssueEvent } from './issue-messages.js';

type LabelsCommand = Extract<
  IssueCommand,
  { type: 'AddIssueLabels' | 'ReplaceIssueLabels' | 'ClearIssueLabels' | 'RemoveIssueLabel' }
>;

const MAX_LABELS = 100;

/** Decides a command about the labels of an existing issue. Records nothing if those that it shows stay the same. */
export function decideLabels(command: LabelsCommand, before: OrderedSet<number>): readonly IssueEvent[] {
  const labelIds = labelsAfter(command, before);
  const change = idsChanged([...before], labelIds);
  if (!change || isUnseen(change, command)) return [];
  if (change.added.length > 0) checkFew(labelIds); // one that has more already may lose some
  const cleared = command.type === 'ClearIssueLabels';
  return [{ type: 'IssueLabelsChanged', data: { labelIds, ...change, cleared, changedAt: command.data.at } }];
}

/** Refuses more labels than an issue may have. */
function checkFew(labelIds: readonly number[]): void {
  if (labelIds.length > MAX_LABELS)
    throw invalid('labels.too_many', 'Labels', `an issue has ${MAX_LABELS} at most`);
}

/** Returns the labels of a new issue: those named, as far as they are compatible. Refuses too many. */
export function firstLabels(named: readonly number[], scopes: ExclusiveScopes): readonly number[] {
  const labelIds = compatible(named, scopes);
  checkFew(labelIds);
  return labelIds;
}

/** Tells whether the change only removes labels that the issue does not show. */
function isUnseen({ added, removed }: NonNullable<ReturnType<typeof idsChanged>>, { data }: LabelsCommand) {
  const hidden = ('hiddenLabelIds' in data && data.hiddenLabelIds) || [];
  return added.length === 0 && removed.every((id) => hidden.includes(id));
}

function labelsAfter({ type, data }: LabelsCommand, before: OrderedSet<number>): readonly number[] {
  switch (type) {
    case 'AddIssueLabels':
      return withAdded(before, data.labelIds, data.scopes);
    case 'ReplaceIssueLabels':
      return compatible(data.labelIds, data.scopes);
    case 'ClearIssueLabels':
      return [];
    case 'RemoveIssueLabel':
      return [...before.delete(data.labelId)];
  }
}

/**
 * Adds labels and removes those that they exclude. One that is carried changes nothing, so labels that came to exclude each
 * other by an edit stay until another one of their scope is added.
 */
function withAdded(before: OrderedSet<number>, labelIds: readonly number[], scopes: ExclusiveScopes) {
  const added = compatible(labelIds, scopes).filter((id) => !before.has(id));
  return [...before.filterNot((id) => added.some((other) => areExclusive(id, other, scopes))), ...added];
}

/** Removes repeated labels, and of labels that exclude each other all but the last one. */
function compatible(labelIds: readonly number[], scopes: ExclusiveScopes): number[] {
  return labelIds.filter((id, index) => {
    const later = labelIds.slice(index + 1);
    return !later.includes(id) && !later.some((other) => areExclusive(id, other, scopes));
  });
}

/** Tells whether two labels exclude each other. */
function areExclusive(one: number, other: number, scopes: ExclusiveScopes): boolean {
  const scope = scopes[String(one)];
  return scope !== undefined && scope === scopes[String(other)];
}
