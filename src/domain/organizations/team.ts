import { is, Map, type Set } from 'immutable';
import { invalid } from '../errors.js';
import { ownerAccess, type TeamAccess } from './team-access.js';

/** The facts of a team, besides its members. */
export type TeamFacts = TeamAccess & {
  readonly name: string;
  readonly description: string;
  /** Whether it has all present and future repositories of the organization. */
  readonly includesAllRepositories: boolean;
  /** Whether its members may create repositories in the organization. */
  readonly canCreateRepositories: boolean;
};

/** The state of a team that decisions rest on. */
export interface Team {
  readonly facts: TeamFacts;
  readonly memberIds: Set<number>;
  /** The repositories that it was given one by one; a team that has all of them needs none. */
  readonly repositoryIds: Set<number>;
}

/** The team whose members may do everything; it is created with the organization. */
export const owners: TeamFacts = {
  name: 'Owners',
  description: '',
  ...ownerAccess,
  includesAllRepositories: true,
  canCreateRepositories: true,
};

const MAX_NAME = 255;

/** Refuses what is no valid name of a team. `new` is reserved because it is a path of Forgejo and Gitea. */
export function checkTeamName(name: string): void {
  if (name === '') throw invalid('team.name_missing', 'Name', 'Required');
  if (!/^[A-Za-z0-9_.-]+$/.test(name) || name.length > MAX_NAME) {
    throw invalid('team.name_invalid', 'Name', `letters, digits, - _ and . only, ${MAX_NAME} at most`);
  }
  if (teamNameKey(name) === 'new') throw invalid('team.name_reserved', 'Name', `${name} is reserved`);
}

/** Returns the key by which names of teams are compared: letter case does not count. */
export const teamNameKey = (name: string): string => name.toLowerCase();

/** Picks the facts of a team from an event. */
export const factsOf = ({
  name,
  description,
  permission,
  units,
  includesAllRepositories,
  canCreateRepositories,
}: TeamFacts): TeamFacts => ({
  name,
  description,
  permission,
  units,
  includesAllRepositories,
  canCreateRepositories,
});

/** Tells whether two teams are equal in all facts that an edit would record. */
export const isSameTeam = (one: TeamFacts, other: TeamFacts): boolean =>
  is(comparable(one), comparable(other));

/** Tells whether two teams differ in their units or in whether they have all repositories. */
export const hasOtherAccess = (one: TeamFacts, other: TeamFacts): boolean =>
  one.includesAllRepositories !== other.includesAllRepositories || !is(Map(one.units), Map(other.units));

const comparable = (facts: TeamFacts) => Map<string, unknown>({ ...facts, units: Map(facts.units) });
