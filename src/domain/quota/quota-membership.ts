import { Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { conflict, invalid, notFound } from '../errors.js';
import { snapshotForm } from '../snapshot.js';

/** A group as a membership records it: its id, and its name at the time, for the history. */
export type GroupReference = { readonly id: number; readonly name: string };

/**
 * The commands of an account's membership. `SetQuotaGroups` leaves it in exactly these groups. `LeaveQuotaGroups` takes it
 * out of as many groups as one append can hold, and is repeated until it gives no events. `existingIds` are those of all
 * groups that exist: nobody joins another one, and memberships of others ended with them. If absent, no group was ever
 * deleted.
 */
export type QuotaMembershipCommand =
  | Message<'AddToQuotaGroup', { group: GroupReference; existingIds?: readonly number[]; at: string }>
  | Message<'RemoveFromQuotaGroup', { group: GroupReference; at: string }>
  | Message<
      'SetQuotaGroups',
      { groups: readonly GroupReference[]; existingIds?: readonly number[]; at: string }
    >
  | Message<'LeaveQuotaGroups', { existingIds: readonly number[]; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The events of an account's membership, with the group's name at that time. */
export type QuotaMembershipEvent =
  | Message<'AddedToQuotaGroup', { groupId: number; groupName: string; addedAt: string }>
  | Message<'RemovedFromQuotaGroup', { groupId: number; groupName: string; removedAt: string }>;

/** The names of the groups by id, as they were when the account was added. */
type State = { readonly groups: Map<number, string> };

/** The quota groups of one account. A deleted group stays listed under its id, which no other group ever gets. */
export const QuotaMembership: Decider<QuotaMembershipCommand, QuotaMembershipEvent, State> = {
  category: 'quotaMembership',
  initialState: { groups: Map() },
  snapshot: snapshotForm(1),

  evolve({ groups }, { type, data }) {
    switch (type) {
      case 'AddedToQuotaGroup':
        return { groups: groups.set(data.groupId, data.groupName) };
      case 'RemovedFromQuotaGroup':
        return { groups: groups.delete(data.groupId) };
    }
  },

  decide({ type, data }, { groups }) {
    switch (type) {
      case 'AddToQuotaGroup':
        if (!existing(data.existingIds)(data.group.id))
          throw notFound('quota_group.absent', 'no such quota group');
        if (groups.has(data.group.id)) throw conflict('quota_membership.exists', 'already in the group');
        return [added(data.group, data.at)];
      case 'RemoveFromQuotaGroup':
        if (!groups.has(data.group.id)) throw notFound('quota_membership.absent', 'not in the group');
        return [removed(data.group, data.at)];
      case 'SetQuotaGroups': {
        const exists = existing(data.existingIds);
        const gone = data.groups.find(({ id }) => !exists(id));
        if (gone) throw invalid('quota_group.absent', 'Groups', `quota group ${gone.name} does not exist`);
        // Only differences are recorded, so that a repeated request records nothing. Additions come first, so that at no
        // position in between the account is in none of its groups.
        const wanted = Map(data.groups.map((group) => [group.id, group]));
        return [
          ...[...wanted.values()].filter(({ id }) => !groups.has(id)).map((group) => added(group, data.at)),
          ...joinedOf(groups, data.existingIds)
            .filter(({ id }) => !wanted.has(id))
            .map((group) => removed(group, data.at)),
        ];
      }
      case 'LeaveQuotaGroups':
        return joinedOf(groups, data.existingIds)
          .slice(0, MOST_LEFT)
          .map((group) => removed(group, data.at));
    }
  },
};

/** How many groups are left at once: as many as fit into one append, however long their names are. */
const MOST_LEFT = 250;

/** Returns which groups exist: those with these ids or, if there are none given, all. */
function existing(ids?: readonly number[]): (id: number) => boolean {
  const known = ids && new Set(ids);
  return (id) => known?.has(id) ?? true;
}

/** Returns the groups that the account is in, of those that exist. */
function joinedOf(groups: State['groups'], existingIds?: readonly number[]): readonly GroupReference[] {
  const exists = existing(existingIds);
  return [...groups].filter(([id]) => exists(id)).map(([id, name]) => ({ id, name }));
}

const added = ({ id, name }: GroupReference, at: string): QuotaMembershipEvent => ({
  type: 'AddedToQuotaGroup',
  data: { groupId: id, groupName: name, addedAt: at },
});

const removed = ({ id, name }: GroupReference, at: string): QuotaMembershipEvent => ({
  type: 'RemovedFromQuotaGroup',
  data: { groupId: id, groupName: name, removedAt: at },
});
