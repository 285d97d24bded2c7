import type { Set } from 'immutable';
import type { DataOf } from '../decider.js';
import { DomainError, notFound } from '../errors.js';
import type { OrganizationCommand, OrganizationEvent } from './organization-messages.js';
import type { OrganizationState } from './organization.js';
import type { Team } from './team.js';

/** Adds an account to a team. With its first team, the account joins the organization. */
export function addTeamMember(
  { teamId, accountId, at }: DataOf<OrganizationCommand, 'AddTeamMember'>,
  { facts, memberIds }: Team,
  { members }: OrganizationState,
): readonly OrganizationEvent[] {
  if (memberIds.has(accountId)) return [];
  const join = members.has(accountId) ? [] : [joined(accountId, at)];
  return [...join, added(teamId, facts.name, accountId, at)];
}

/** Removes an account from a team. With its last team, the account leaves the organization. Refuses for the last owner. */
export function removeTeamMember(
  { teamId, accountId, at }: DataOf<OrganizationCommand, 'RemoveTeamMember'>,
  { facts, memberIds }: Team,
  state: OrganizationState,
): readonly OrganizationEvent[] {
  if (!memberIds.has(accountId)) return [];
  refuseLastOwner(state, teamId, memberIds);
  const leave = isInAnother(state.teams, accountId, teamId) ? [] : [accountId];
  return [removed(teamId, facts.name, accountId, at), ...left(leave, at)];
}

/** Removes a member from all teams and the organization. Refuses for the last owner. */
export function removeMember(
  { accountId, at }: DataOf<OrganizationCommand, 'RemoveMember'>,
  state: OrganizationState,
): readonly OrganizationEvent[] {
  if (!state.members.has(accountId)) return [];
  return [...leavings(accountId, state, at), ...left([accountId], at)];
}

/**
 * Takes a member out of as many teams as one append can hold, if it is in more than that. Refuses for the last owner, as
 * `removeMember` would afterwards.
 */
export function lightenMember(
  { accountId, at }: DataOf<OrganizationCommand, 'LightenMember'>,
  state: OrganizationState,
): readonly OrganizationEvent[] {
  const all = leavings(accountId, state, at);
  return all.length > MOST_REMOVED ? all.slice(0, MOST_REMOVED) : [];
}

/** From how many teams a member or a repository is removed at once: as many as fit into one append with long names. */
export const MOST_REMOVED = 500;

/** Makes the events that an account leaves each of its teams. Refuses for the last owner. */
function leavings(accountId: number, state: OrganizationState, at: string): readonly OrganizationEvent[] {
  const own = [...state.teams].filter(([, { memberIds }]) => memberIds.has(accountId));
  for (const [teamId, { memberIds }] of own) refuseLastOwner(state, teamId, memberIds);
  return own.map(([teamId, { facts }]) => removed(teamId, facts.name, accountId, at));
}

/** Tells whether the account is the only owner. */
export function isLastOwner({ teams, ownersTeamId }: OrganizationState, accountId: number): boolean {
  const owners = ownersTeamId === undefined ? undefined : teams.get(ownersTeamId)?.memberIds;
  return owners?.size === 1 && owners.has(accountId);
}

/** Tells whether everybody may see an account's membership. Refuses if the account is no member. */
export function isPublicMember({ members }: OrganizationState, accountId: number): boolean {
  const isPublic = members.get(accountId);
  if (isPublic === undefined)
    throw notFound('organization.member_absent', 'not a member of the organization');
  return isPublic;
}

/** Tells whether the account is in another team than this one. */
export const isInAnother = (teams: OrganizationState['teams'], accountId: number, teamId: number): boolean =>
  teams.some(({ memberIds }, id) => id !== teamId && memberIds.has(accountId));

/** The code of the refusal to take away the last owner. */
export const LAST_OWNER = 'organization.last_owner';

function refuseLastOwner({ ownersTeamId }: OrganizationState, teamId: number, memberIds: Set<number>): void {
  if (teamId === ownersTeamId && memberIds.size === 1)
    throw new DomainError('invalid', LAST_OWNER, 'an organization keeps an owner');
}

/** Makes the event that an account became a member. */
export const joined = (accountId: number, joinedAt: string): OrganizationEvent => ({
  type: 'MemberJoined',
  data: { accountId, joinedAt },
});

/** Makes the event that accounts ceased to be members; no event for no accounts. */
export const left = (accountIds: readonly number[], leftAt: string): OrganizationEvent[] =>
  accountIds.length === 0 ? [] : [{ type: 'MembersLeft', data: { accountIds, leftAt } }];

/** Makes the event that an account was added to a team. */
export const added = (
  teamId: number,
  teamName: string,
  accountId: number,
  addedAt: string,
): OrganizationEvent => ({
  type: 'TeamMemberAdded',
  data: { teamId, teamName, accountId, addedAt },
});

const removed = (
  teamId: number,
  teamName: string,
  accountId: number,
  removedAt: string,
): OrganizationEvent => ({
  type: 'TeamMemberRemoved',
  data: { teamId, teamName, accountId, removedAt },
});
