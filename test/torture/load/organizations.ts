import type { Random } from '../../support/random.js';
import type { Known } from '../model/known.js';
import type { Session } from '../session.js';

const ORGANIZATIONS = 3;
const TEAMS = 3;

export async function createOrganization(session: Session, random: Random): Promise<void> {
  const { organizations } = session.world;
  const username = organizations.undoubted(session.some('o', random, ORGANIZATIONS));
  const isFree = organizations.isFree(username);
  const result = await session.write('POST', '/orgs', { username }, isFree ? 201 : 422);
  if (result !== 'refused') organizations.note(result, username, 'there');
}

/** With everything in it; refused while it has repositories. */
export async function deleteOrganization(session: Session, random: Random): Promise<void> {
  const { organizations, teams, members, repositories } = session.world;
  const organization = random.anyOf(organizations.names);
  if (organization === undefined) return;
  const owned = [...session.world.contents.keys()].filter((name) => name.startsWith(`${organization}/`));
  if (owned.some((name) => repositories.get(name) === undefined && !repositories.isFree(name))) return;
  const hasSome = owned.some((name) => !repositories.isFree(name));
  const result = await session.write('DELETE', `/orgs/${organization}`, undefined, hasSome ? 422 : 204);
  if (result === 'refused') return;
  organizations.note(result, organization, undefined);
  for (const known of [teams, members] as Known<string>[])
    for (const name of known.names)
      if (name.startsWith(`${organization}/`)) known.note(result, name, undefined);
}

export async function createTeam(session: Session, random: Random): Promise<void> {
  const { organizations, teams } = session.world;
  const organization = random.anyOf(organizations.names);
  if (organization === undefined) return;
  const place = teams.undoubted(`${organization}/t${random.below(TEAMS)}`);
  const [, name] = place.split('/');
  const body = { name, permission: 'write', units: ['repo.code'] };
  const isFree = teams.isFree(place);
  const result = await session.write('POST', `/orgs/${organization}/teams`, body, isFree ? 201 : 422);
  if (result === 'refused') return;
  if (result) teams.set(place, String((result.json as { id: number }).id));
  else teams.loosen(place);
}

export async function addMember(session: Session, random: Random): Promise<void> {
  const { teams, members } = session.world;
  const team = random.anyOf(teams.names);
  if (team === undefined) return;
  const user = random.pick(session.options.people);
  const member = `${team}/${user}`;
  const result = await session.write(
    'PUT',
    `/teams/${teams.get(team) ?? ''}/members/${user}`,
    undefined,
    204,
  );
  if (result !== 'refused') members.note(result, member, 'there');
}

export async function removeMember(session: Session, random: Random): Promise<void> {
  const { teams, members } = session.world;
  const member = random.anyOf(members.names);
  if (member === undefined) return;
  const [organization = '', team = '', user = ''] = member.split('/');
  const id = teams.get(`${organization}/${team}`);
  if (id === undefined) return;
  const result = await session.write('DELETE', `/teams/${id}/members/${user}`, undefined, 204);
  if (result !== 'refused') members.note(result, member, undefined);
}

/** Nobody but the client is ever in the team of owners. */
export async function leaveLastOwner(session: Session, random: Random): Promise<void> {
  const organization = random.anyOf(session.world.organizations.names);
  if (organization === undefined) return;
  await session.write('DELETE', `/orgs/${organization}/members/${session.name}`, undefined, 422);
}
