import { Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { difference } from '../difference.js';
import { notFound } from '../errors.js';
import {
  checkLabelCount,
  labelFactsOf,
  labelFrom,
  newLabel,
  type AskedLabel,
  type LabelFacts,
} from '../labels/label.js';

/** The commands of an organization's labels. Deleting an absent label records nothing. */
export type OrganizationLabelsCommand =
  | Message<'CreateOrganizationLabel', { labelId: number; label: AskedLabel; at: string }>
  | Message<'EditOrganizationLabel', { labelId: number; changes: AskedLabel; at: string }>
  | Message<'DeleteOrganizationLabel', { labelId: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The events of an organization's labels. Each carries all facts; `before` are those before the edit. */
export type OrganizationLabelsEvent =
  | Message<'OrganizationLabelCreated', { labelId: number } & LabelFacts & { createdAt: string }>
  | Message<
      'OrganizationLabelEdited',
      { labelId: number } & LabelFacts & { before: LabelFacts; editedAt: string }
    >
  | Message<'OrganizationLabelDeleted', { labelId: number; name: string; deletedAt: string }>;

interface State {
  readonly labels: Map<number, LabelFacts>;
}

/** The labels of an organization, for issues of all its repositories. Several may have the same name. */
export const OrganizationLabels: Decider<OrganizationLabelsCommand, OrganizationLabelsEvent, State> = {
  category: 'organizationLabels',
  initialState: { labels: Map() },

  evolve({ labels }, { type, data }) {
    switch (type) {
      case 'OrganizationLabelCreated':
      case 'OrganizationLabelEdited':
        return { labels: labels.set(data.labelId, labelFactsOf(data)) };
      case 'OrganizationLabelDeleted':
        return { labels: labels.delete(data.labelId) };
    }
  },

  decide({ type, data }, state) {
    const { labelId } = data;
    switch (type) {
      case 'CreateOrganizationLabel': {
        const facts = newLabel(data.label);
        checkLabelCount(state.labels.size);
        return [{ type: 'OrganizationLabelCreated', data: { labelId, ...facts, createdAt: data.at } }];
      }
      case 'EditOrganizationLabel': {
        const before = labelOf(state, labelId);
        const after = labelFrom(data.changes, before);
        if (!difference(before, after)) return [];
        return [{ type: 'OrganizationLabelEdited', data: { labelId, ...after, before, editedAt: data.at } }];
      }
      case 'DeleteOrganizationLabel': {
        const label = state.labels.get(labelId);
        if (!label) return [];
        return [
          { type: 'OrganizationLabelDeleted', data: { labelId, name: label.name, deletedAt: data.at } },
        ];
      }
    }
  },
};

/** Returns a label. Refuses if the organization does not have it. */
export function labelOf({ labels }: State, labelId: number): LabelFacts {
  const label = labels.get(labelId);
  if (!label) throw notFound('label.absent', 'the label does not exist');
  return label;
}
