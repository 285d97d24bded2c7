import { invalid } from '../errors.js';

/** From the lowest to the highest. */
export const accessLevels = ['none', 'read', 'write', 'admin', 'owner'] as const;
/** A level of access. Each level includes the lower ones. Teams cannot be given `owner`. */
export type AccessLevel = (typeof accessLevels)[number];

/** The units that a team can be given access to, in the order in which they are listed. */
export const unitKeys = [
  'repo.code',
  'repo.issues',
  'repo.ext_issues',
  'repo.pulls',
  'repo.releases',
  'repo.wiki',
  'repo.ext_wiki',
  'repo.projects',
  'repo.packages',
  'repo.actions',
] as const;
/** A feature of a repository, as the API and the events name it. */
export type UnitKey = (typeof unitKeys)[number];
/** The level for each unit; `none` for absent units. */
export type Units = Readonly<Partial<Record<UnitKey, AccessLevel>>>;

/** What a team may do in its repositories. Teams of administrators and owners have all units at that level. */
export type TeamAccess = { readonly permission: AccessLevel; readonly units: Units };

/** A team's access as requested; absent and empty fields are not given. */
export type AskedTeamAccess = {
  readonly permission?: string | undefined;
  readonly units?: readonly string[] | undefined;
  readonly unitsMap?: Readonly<Record<string, string>> | undefined;
};

/** These units are on other servers, so that a team can be given no more than `read`. */
const external: ReadonlySet<UnitKey> = new Set(['repo.ext_issues', 'repo.ext_wiki']);

/** Returns the rank of a level, from 0 for `none` to 4 for `owner`. SQL statements use the same ranks. */
export const rankOf = (level: AccessLevel): number => accessLevels.indexOf(level);

export const ownerAccess: TeamAccess = everyUnit('owner');

/** Returns the access of a new team. Refuses unknown words, and a team below `admin` without units. */
export function teamAccess({ permission: word, units, unitsMap }: AskedTeamAccess): TeamAccess {
  const permission = permissionOf(word);
  if (permission === 'admin') return everyUnit('admin');
  const mapped = accessOfMap(unitsMap);
  return mapped ?? accessOfUnits(unitsOf(units), permission ?? 'read');
}

/**
 * Returns the access of a team after a change. A permission alone becomes the level of all units that the team has; it is
 * refused for a team that has none.
 */
export function changedTeamAccess(current: TeamAccess, asked: AskedTeamAccess): TeamAccess {
  const permission = permissionOf(asked.permission) ?? current.permission;
  if (permission === 'admin') return everyUnit('admin');
  const mapped = accessOfMap(asked.unitsMap);
  if (mapped) return mapped;
  const keys = unitsOf(asked.units);
  if (keys.length === 0 && permission === current.permission) return current;
  return accessOfUnits(keys.length > 0 ? keys : grantedUnits(current), permission);
}

/** Returns the units that a team has access to. */
export const grantedUnits = ({ units }: TeamAccess): readonly UnitKey[] =>
  unitKeys.filter((key) => (units[key] ?? 'none') !== 'none');

function everyUnit(level: AccessLevel): TeamAccess {
  return { permission: level, units: Object.fromEntries(unitKeys.map((key) => [key, level])) };
}

/** Gives each of the units that level. Refuses where there are none. */
function accessOfUnits(keys: readonly UnitKey[], permission: AccessLevel): TeamAccess {
  if (keys.length === 0) throw invalid('team.units_missing', 'Units', 'Required');
  return { permission, units: Object.fromEntries(keys.map((key) => [key, capped(key, permission)])) };
}

/** Parses a map of units; undefined if empty. The permission is the lowest level above `none` of units on this server. */
function accessOfMap(map: AskedTeamAccess['unitsMap']): TeamAccess | undefined {
  const given = Object.entries(map ?? {});
  if (given.length === 0) return undefined;
  const levels = new Map(
    given.map(([word, level]) => [unitOf(word, 'UnitsMap'), levelOf(level, 'UnitsMap')]),
  );
  const ranks = [...levels].filter(([key]) => !external.has(key)).map(([, level]) => rankOf(level));
  const lowest = Math.min(...ranks.filter((rank) => rank > 0));
  const permission = accessLevels[lowest] ?? 'none';
  if (permission === 'admin') return everyUnit('admin');
  return {
    permission,
    units: Object.fromEntries([...levels].map(([key, level]) => [key, capped(key, level)])),
  };
}

/** Parses a list of units, each of which counts once. */
const unitsOf = (words: readonly string[] = []): readonly UnitKey[] => [
  ...new Set(words.map((word) => unitOf(word, 'Units'))),
];

const capped = (key: UnitKey, level: AccessLevel): AccessLevel =>
  external.has(key) && rankOf(level) > rankOf('read') ? 'read' : level;

function unitOf(word: string, field: string): UnitKey {
  const unit = unitKeys.find((key) => key === word.toLowerCase());
  if (!unit) throw invalid('team.unit_unknown', field, `unknown unit ${JSON.stringify(word)}`);
  return unit;
}

const permissionOf = (word = ''): AccessLevel | undefined =>
  word === '' ? undefined : levelOf(word, 'Permission');

/** Parses a level. Refuses `owner`, because accounts become owners by joining the Owners team. */
function levelOf(word: string, field: string): AccessLevel {
  const level = accessLevels.find((known) => known === word);
  if (!level || level === 'owner') {
    throw invalid('team.level_unknown', field, 'must be none, read, write or admin');
  }
  return level;
}
