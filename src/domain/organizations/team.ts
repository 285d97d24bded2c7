import { is, Map, type Set } from 'immutable';
import { invalid } from '../errors.js';
import { ownerAccess, type TeamAccess } from './team-access.js';

/** What a team is, besides its members. */
export type TeamFacts = TeamAccess & {
  readonly name: string;
  readonly description: string;
  /** It has every repository of the organization, present and future. */
  readonly includesAllRepositories: boolean;
  /** Its members may create repositories in the organization. */
  readonly canCreateRepositories: boolean;
};

/** A team as rules see it. */
export interface Team {
  readonly facts: TeamFacts;
  readonly memberIds: Set<number>;
  /** Those that it was given one by one; a team that has them all needs none. */
  readonly repositoryIds: Set<number>;
}

/** The team whose members may do everything; it comes with the organization. */
export const owners: TeamFacts = {
  name: 'Owners',
  description: '',
  ...ownerAccess,
  includesAllRepositories: true,
  canCreateRepositories: true,
};

const MAX_NAME = 255;

/** Refuses what cannot name a team; `new` is a path of our peers. */
export function checkTeamName(name: string): void {
  if (name === '') throw invalid('team.name_missing', 'Name', 'Required');
  if (!/^[A-Za-z0-9_.-]+$/.test(name) || name.length > MAX_NAME) {
    throw invalid('team.name_invalid', 'Name', `letters, digits, - _ and . only, ${MAX_NAME} at most`);
  }
  if (teamNameKey(name) === 'new') throw invalid('team.name_reserved', 'Name', `${name} is reserved`);
}

/** What the names of two teams of an organization must differ in: letter case does not count. */
export const teamNameKey = (name: string): string => name.toLowerCase();

/** The facts among what an event says of a team. */
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

/** Whether nothing differs that an edit would record. */
export const isSameTeam = (one: TeamFacts, other: TeamFacts): boolean =>
  is(comparable(one), comparable(other));

/** Whether members may do other things, or do them in other repositories. */
export const hasOtherAccess = (one: TeamFacts, other: TeamFacts): boolean =>
  one.includesAllRepositories !== other.includesAllRepositories || !is(Map(one.units), Map(other.units));

const comparable = (facts: TeamFacts) => Map<string, unknown>({ ...facts, units: Map(facts.units) });
