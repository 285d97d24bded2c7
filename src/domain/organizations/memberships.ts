import type { Set } from 'immutable';
import type { DataOf } from '../decider.js';
import { DomainError, notFound } from '../errors.js';
import type { OrganizationCommand, OrganizationEvent } from './organization-messages.js';
import type { OrganizationState } from './organization.js';
import type { Team } from './team.js';

/** Whoever comes into a first team joins the organization. */
export function addTeamMember(
  { teamId, accountId, at }: DataOf<OrganizationCommand, 'AddTeamMember'>,
  { facts, memberIds }: Team,
  { members }: OrganizationState,
): readonly OrganizationEvent[] {
  if (memberIds.has(accountId)) return [];
  const join = members.has(accountId) ? [] : [joined(accountId, at)];
  return [...join, added(teamId, facts.name, accountId, at)];
}

/** Whoever is in no other team leaves the organization. Refuses for the last owner. */
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

/** Takes a member out of every team. Refuses for the last owner. */
export function removeMember(
  { accountId, at }: DataOf<OrganizationCommand, 'RemoveMember'>,
  state: OrganizationState,
): readonly OrganizationEvent[] {
  if (!state.members.has(accountId)) return [];
  const own = [...state.teams].filter(([, { memberIds }]) => memberIds.has(accountId));
  for (const [teamId, { memberIds }] of own) refuseLastOwner(state, teamId, memberIds);
  return [
    ...own.map(([teamId, { facts }]) => removed(teamId, facts.name, accountId, at)),
    ...left([accountId], at),
  ];
}

/** Whether the account is an owner and nobody else is. */
export function isLastOwner({ teams, ownersTeamId }: OrganizationState, accountId: number): boolean {
  const owners = ownersTeamId === undefined ? undefined : teams.get(ownersTeamId)?.memberIds;
  return owners?.size === 1 && owners.has(accountId);
}

/** Whether everybody may see that somebody is a member. Refuses where that one is none. */
export function isPublicMember({ members }: OrganizationState, accountId: number): boolean {
  const isPublic = members.get(accountId);
  if (isPublic === undefined)
    throw notFound('organization.member_absent', 'not a member of the organization');
  return isPublic;
}

/** Whether the account is in a team besides this one. */
export const isInAnother = (teams: OrganizationState['teams'], accountId: number, teamId: number): boolean =>
  teams.some(({ memberIds }, id) => id !== teamId && memberIds.has(accountId));

function refuseLastOwner({ ownersTeamId }: OrganizationState, teamId: number, memberIds: Set<number>): void {
  if (teamId === ownersTeamId && memberIds.size === 1)
    throw new DomainError('invalid', 'organization.last_owner', 'an organization keeps an owner');
}

/** That somebody became a member. */
export const joined = (accountId: number, joinedAt: string): OrganizationEvent => ({
  type: 'MemberJoined',
  data: { accountId, joinedAt },
});

/** That these are members no more; nothing for nobody. */
export const left = (accountIds: readonly number[], leftAt: string): OrganizationEvent[] =>
  accountIds.length === 0 ? [] : [{ type: 'MembersLeft', data: { accountIds, leftAt } }];

/** That somebody came into a team. */
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
