import { is, Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { invalid, notFound } from '../errors.js';

/** What a label is. A name's part before its last `/` is its scope; of an exclusive label's scope an issue has one. */
export type LabelFacts = {
  readonly name: string;
  /** Six lower-case hexadecimal digits. */
  readonly color: string;
  readonly description: string;
  readonly exclusive: boolean;
  readonly isArchived: boolean;
};

/** As a request words it; what is absent says nothing. */
type AskedLabel = { readonly [Key in keyof LabelFacts]?: LabelFacts[Key] | undefined };

export type OrganizationLabelsCommand =
  | Message<'CreateOrganizationLabel', { labelId: number; label: AskedLabel; at: string }>
  | Message<'EditOrganizationLabel', { labelId: number; changes: AskedLabel; at: string }>
  | Message<'DeleteOrganizationLabel', { labelId: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
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

/** The labels of an organization, for issues of all its repositories. Two may have one name. */
export const OrganizationLabels: Decider<OrganizationLabelsCommand, OrganizationLabelsEvent, State> = {
  category: 'organizationLabels',
  initialState: { labels: Map() },

  evolve({ labels }, { type, data }) {
    switch (type) {
      case 'OrganizationLabelCreated':
      case 'OrganizationLabelEdited':
        return { labels: labels.set(data.labelId, factsOf(data)) };
      case 'OrganizationLabelDeleted':
        return { labels: labels.delete(data.labelId) };
    }
  },

  decide({ type, data }, state) {
    const { labelId } = data;
    switch (type) {
      case 'CreateOrganizationLabel': {
        const facts = labelFrom(data.label, { description: '', exclusive: false, isArchived: false });
        return [{ type: 'OrganizationLabelCreated', data: { labelId, ...facts, createdAt: data.at } }];
      }
      case 'EditOrganizationLabel': {
        const before = labelOf(state, labelId);
        const after = labelFrom(data.changes, before);
        if (is(Map(before), Map(after))) return [];
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

/** The label; refuses where the organization has no such one. */
export function labelOf({ labels }: State, labelId: number): LabelFacts {
  const label = labels.get(labelId);
  if (!label) throw notFound('label.absent', 'the label does not exist');
  return label;
}

/** What is asked, upon what there is. */
function labelFrom(
  asked: AskedLabel,
  base: Partial<LabelFacts> & Omit<LabelFacts, 'name' | 'color'>,
): LabelFacts {
  const { name = base.name ?? '', color = base.color ?? '' } = asked;
  if (name.trim() === '') throw invalid('label.name_missing', 'Name', 'Required');
  return {
    name,
    color: colorOf(color),
    description: asked.description ?? base.description,
    exclusive: asked.exclusive ?? base.exclusive,
    isArchived: asked.isArchived ?? base.isArchived,
  };
}

/** Takes three or six hexadecimal digits, after a `#` or not. */
function colorOf(text: string): string {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) throw invalid('label.color_invalid', 'Color', 'must be a colour as in #00aabb');
  return digits.length === 6 ? digits : digits.replace(/./g, '$&$&');
}

const factsOf = ({ name, color, description, exclusive, isArchived }: LabelFacts): LabelFacts => ({
  name,
  color,
  description,
  exclusive,
  isArchived,
});
