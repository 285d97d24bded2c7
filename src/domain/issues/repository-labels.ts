import { Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { difference } from '../difference.js';
import { invalid, notFound } from '../errors.js';
import {
  checkLabelCount,
  labelNameKey,
  labelFactsOf,
  labelFrom,
  newLabel,
  type AskedLabel,
  type LabelFacts,
} from '../labels/label.js';

/**
 * The commands of a repository's labels. Of several labels, either all are created or none. `copied` ones are as many as
 * the repository has from which they come.
 */
export type RepositoryLabelsCommand =
  | Message<
      'CreateLabels',
      { labels: readonly { labelId: number; label: AskedLabel }[]; copied?: true; at: string }
    >
  | Message<'EditLabel', { labelId: number; changes: AskedLabel; at: string }>
  | Message<'DeleteLabel', { labelId: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The events of a repository's labels. Each carries all facts; `before` are those before the edit. */
export type RepositoryLabelsEvent =
  | Message<'LabelCreated', { labelId: number } & LabelFacts & { createdAt: string }>
  | Message<'LabelEdited', { labelId: number } & LabelFacts & { before: LabelFacts; editedAt: string }>
  | Message<'LabelDeleted', { labelId: number; name: string; deletedAt: string }>;

/** The labels that exist, by id. */
export interface RepositoryLabelsState {
  readonly labels: Map<number, LabelFacts>;
}

/** The labels of a repository. Each name occurs once, in any letter case. */
export const RepositoryLabels: Decider<
  RepositoryLabelsCommand,
  RepositoryLabelsEvent,
  RepositoryLabelsState
> = {
  category: 'labels',
  initialState: { labels: Map() },

  evolve({ labels }, { type, data }) {
    switch (type) {
      case 'LabelCreated':
      case 'LabelEdited':
        return { labels: labels.set(data.labelId, labelFactsOf(data)) };
      case 'LabelDeleted':
        return { labels: labels.delete(data.labelId) };
    }
  },

  decide({ type, data }, { labels }) {
    switch (type) {
      case 'CreateLabels': {
        let known = labels;
        return data.labels.map(({ labelId, label }) => {
          const facts = newLabel(label);
          if (!data.copied) checkLabelCount(known.size);
          checkName(facts.name, known);
          known = known.set(labelId, facts);
          return { type: 'LabelCreated', data: { labelId, ...facts, createdAt: data.at } };
        });
      }
      case 'EditLabel': {
        const { labelId, changes, at } = data;
        const before = repositoryLabelOf({ labels }, labelId);
        const after = labelFrom(changes, before);
        if (after.name !== before.name) checkName(after.name, labels.delete(labelId));
        if (!difference(before, after)) return [];
        return [{ type: 'LabelEdited', data: { labelId, ...after, before, editedAt: at } }];
      }
      case 'DeleteLabel': {
        const { name } = repositoryLabelOf({ labels }, data.labelId);
        return [{ type: 'LabelDeleted', data: { labelId: data.labelId, name, deletedAt: data.at } }];
      }
    }
  },
};

/** Returns a label. Refuses if the repository does not have it. */
function repositoryLabelOf({ labels }: RepositoryLabelsState, labelId: number): LabelFacts {
  const label = labels.get(labelId);
  if (!label) throw notFound('label.absent', 'the label does not exist');
  return label;
}

function checkName(name: string, others: RepositoryLabelsState['labels']): void {
  const key = labelNameKey(name);
  if (others.some((other) => labelNameKey(other.name) === key))
    throw invalid('label.name_taken', 'Name', 'the repository has a label of that name');
}
