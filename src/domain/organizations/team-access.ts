import { invalid } from '../errors.js';

/** From the least to the most. */
export const accessLevels = ['none', 'read', 'write', 'admin', 'owner'] as const;
/** How much somebody may do; each level includes those before it. `owner` cannot be given to a team. */
export type AccessLevel = (typeof accessLevels)[number];

/** What a team can be given access to, in the order in which it is listed. */
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
/** The level for each unit; one that is left out is `none`. */
export type Units = Readonly<Partial<Record<UnitKey, AccessLevel>>>;

/** What a team may do in its repositories. Teams of administrators and owners have every unit at that level. */
export type TeamAccess = { readonly permission: AccessLevel; readonly units: Units };

/** As a request words it; what is absent or empty says nothing. */
export type AskedTeamAccess = {
  readonly permission?: string | undefined;
  readonly units?: readonly string[] | undefined;
  readonly unitsMap?: Readonly<Record<string, string>> | undefined;
};

/** They live elsewhere: a team can be shown them and no more. */
const external: ReadonlySet<UnitKey> = new Set(['repo.ext_issues', 'repo.ext_wiki']);

/** Levels as numbers to compare, from 0 for `none` to 4 for `owner`; SQL has the same. */
export const rankOf = (level: AccessLevel): number => accessLevels.indexOf(level);

export const ownerAccess: TeamAccess = everyUnit('owner');

/** The access of a new team. Refuses unknown words, and units left open for a team below `admin`. */
export function teamAccess({ permission: word, units, unitsMap }: AskedTeamAccess): TeamAccess {
  const permission = permissionOf(word);
  if (permission === 'admin') return everyUnit('admin');
  const mapped = accessOfMap(unitsMap);
  if (mapped) return mapped;
  const keys = unitsOf(units);
  if (!keys) throw invalid('team.units_missing', 'Units', 'Required');
  return accessOfUnits(keys, permission ?? 'read');
}

/** The access of a team after a change: another permission alone is that of every unit that the team has. */
export function changedTeamAccess(current: TeamAccess, asked: AskedTeamAccess): TeamAccess {
  const permission = permissionOf(asked.permission) ?? current.permission;
  if (permission === 'admin') return everyUnit('admin');
  const mapped = accessOfMap(asked.unitsMap);
  if (mapped) return mapped;
  const keys = unitsOf(asked.units);
  if (keys) return accessOfUnits(keys, permission);
  return permission === current.permission ? current : accessOfUnits(grantedUnits(current), permission);
}

/** The units that a team has access to. */
export const grantedUnits = ({ units }: TeamAccess): readonly UnitKey[] =>
  unitKeys.filter((key) => (units[key] ?? 'none') !== 'none');

function everyUnit(level: AccessLevel): TeamAccess {
  return { permission: level, units: Object.fromEntries(unitKeys.map((key) => [key, level])) };
}

const accessOfUnits = (keys: readonly UnitKey[], permission: AccessLevel): TeamAccess => ({
  permission,
  units: Object.fromEntries(keys.map((key) => [key, capped(key, permission)])),
});

/** Undefined for a map without units. The permission is the lowest level of what lives here, above none. */
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

/** Undefined for a list without units. */
const unitsOf = (words: readonly string[] = []): readonly UnitKey[] | undefined =>
  words.length === 0 ? undefined : [...new Set(words.map((word) => unitOf(word, 'Units')))];

const capped = (key: UnitKey, level: AccessLevel): AccessLevel =>
  external.has(key) && rankOf(level) > rankOf('read') ? 'read' : level;

function unitOf(word: string, field: string): UnitKey {
  const unit = unitKeys.find((key) => key === word.toLowerCase());
  if (!unit) throw invalid('team.unit_unknown', field, `unknown unit ${JSON.stringify(word)}`);
  return unit;
}

const permissionOf = (word = ''): AccessLevel | undefined =>
  word === '' ? undefined : levelOf(word, 'Permission');

/** Owners are made by joining them, not by a level. */
function levelOf(word: string, field: string): AccessLevel {
  const level = accessLevels.find((known) => known === word);
  if (!level || level === 'owner') {
    throw invalid('team.level_unknown', field, 'must be none, read, write or admin');
  }
  return level;
}
