import { Map } from 'immutable';
import { isLonger } from '../characters.js';
import type { Decider, Message } from '../decider.js';
import { difference } from '../difference.js';
import { invalid, notFound } from '../errors.js';

/** The facts of a milestone. Each change records all of them. */
export type MilestoneFacts = {
  readonly title: string;
  readonly description: string;
  readonly isClosed: boolean;
  /** RFC 3339; null if there is no deadline. */
  readonly dueAt: string | null;
};

/** A milestone as requested; absent fields are not given. */
export type AskedMilestone = { readonly [Key in keyof MilestoneFacts]?: MilestoneFacts[Key] | undefined };

/** The commands of a repository's milestones. Naming an absent milestone is refused as `not-found`. */
export type MilestonesCommand =
  | Message<'CreateMilestone', { milestoneId: number; milestone: AskedMilestone; at: string }>
  | Message<'EditMilestone', { milestoneId: number; changes: AskedMilestone; at: string }>
  | Message<'DeleteMilestone', { milestoneId: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The events of a repository's milestones. Each carries all facts; `before` are those before the edit. */
export type MilestonesEvent =
  | Message<'MilestoneCreated', { milestoneId: number } & MilestoneFacts & { createdAt: string }>
  | Message<
      'MilestoneEdited',
      { milestoneId: number } & MilestoneFacts & { before: MilestoneFacts; editedAt: string }
    >
  | Message<'MilestoneDeleted', { milestoneId: number; title: string; deletedAt: string }>;

/** The milestones that exist, by id. */
export interface MilestonesState {
  readonly milestones: Map<number, MilestoneFacts>;
}

/** In characters. */
const LONGEST_TITLE = 255;

/** Returns the key by which titles are compared: letter case does not count. */
export const milestoneTitleKey = (title: string): string => title.toLowerCase();

/** The milestones of a repository. Several may have the same title. */
export const Milestones: Decider<MilestonesCommand, MilestonesEvent, MilestonesState> = {
  category: 'milestones',
  initialState: { milestones: Map() },

  evolve({ milestones }, { type, data }) {
    switch (type) {
      case 'MilestoneCreated':
      case 'MilestoneEdited':
        return { milestones: milestones.set(data.milestoneId, factsOf(data)) };
      case 'MilestoneDeleted':
        return { milestones: milestones.delete(data.milestoneId) };
    }
  },

  decide({ type, data }, state) {
    const { milestoneId, at } = data;
    switch (type) {
      case 'CreateMilestone': {
        const facts = milestoneFrom(data.milestone, {
          title: '',
          description: '',
          isClosed: false,
          dueAt: null,
        });
        return [{ type: 'MilestoneCreated', data: { milestoneId, ...facts, createdAt: at } }];
      }
      case 'EditMilestone': {
        const before = milestoneOf(state, milestoneId);
        const after = milestoneFrom(data.changes, before);
        if (!difference(before, after)) return [];
        return [{ type: 'MilestoneEdited', data: { milestoneId, ...after, before, editedAt: at } }];
      }
      case 'DeleteMilestone': {
        const { title } = milestoneOf(state, milestoneId);
        return [{ type: 'MilestoneDeleted', data: { milestoneId, title, deletedAt: at } }];
      }
    }
  },
};

/** Returns a milestone. Refuses if the repository does not have it. */
function milestoneOf({ milestones }: MilestonesState, milestoneId: number): MilestoneFacts {
  const milestone = milestones.get(milestoneId);
  if (!milestone) throw notFound('milestone.absent', 'the milestone does not exist');
  return milestone;
}

/** Applies the requested fields to the present ones and checks the result. An empty title leaves the previous one. */
function milestoneFrom(
  { title, description, isClosed, dueAt }: AskedMilestone,
  base: MilestoneFacts,
): MilestoneFacts {
  const facts = {
    title: title === undefined || title.trim() === '' ? base.title : title.trim(),
    description: description ?? base.description,
    isClosed: isClosed ?? base.isClosed,
    dueAt: dueAt === undefined ? base.dueAt : dueAt,
  };
  if (facts.title === '') throw invalid('milestone.title_missing', 'Title', 'Required');
  if (isLonger(facts.title, LONGEST_TITLE))
    throw invalid('milestone.title_long', 'Title', `must have ${LONGEST_TITLE} characters at most`);
  return facts;
}

const factsOf = ({ title, description, isClosed, dueAt }: MilestoneFacts): MilestoneFacts => ({
  title,
  description,
  isClosed,
  dueAt,
});
