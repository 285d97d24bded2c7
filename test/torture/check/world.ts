import { stringifyJson } from '../../../src/values/json.js';
import type { Session } from '../session.js';
import { compareRepository, expectGapless } from './repository.js';

/** Says everything in which what the site shows differs from what a client knows. */
export async function compareWorld(session: Session): Promise<void> {
  await compareRepositories(session);
  await compareUsers(session);
  await compareOrganizations(session);
  await compareQuota(session);
  for (const place of [...session.repositories(), session.shared]) await compareRepository(session, place);
  for (const place of session.repositories()) await expectGapless(session, place);
  for (const place of session.repositories()) await compareGit(session, place.name);
}

async function compareRepositories(session: Session): Promise<void> {
  const { world, options } = session;
  const rows = await options.caller.list<{ full_name: string }>('/user/repos');
  const names = rows.map(({ full_name: name }) => name).filter((name) => name !== options.shared);
  if (new Set(names).size !== names.length)
    session.violation(`a repository is there twice: ${names.join(' ')}`);
  const own = names.filter(
    (name) => name.startsWith(`${session.name}/`) || name.startsWith(`${session.name}-`),
  );
  tell(session, world.repositories.differences('repository', new Map(own.map((name) => [name, 'there']))));
}

async function compareUsers(session: Session): Promise<void> {
  const { world, options } = session;
  const prefix = `${session.name}-x`;
  const { json } = await options.caller.read(`/users/search?limit=50&q=${prefix}`);
  const found = (json as { data: { login: string }[] }).data.filter(({ login }) => login.startsWith(prefix));
  tell(session, world.users.differences('user', new Map(found.map(({ login }) => [login, 'there']))));
}

async function compareOrganizations(session: Session): Promise<void> {
  const { world, options } = session;
  const rows = await options.caller.list<{ name: string }>('/user/orgs');
  const names = rows.map(({ name }) => name).filter((name) => name.startsWith(`${session.name}-`));
  tell(
    session,
    world.organizations.differences('organization', new Map(names.map((name) => [name, 'there']))),
  );
  const teams = new Map<string, string>();
  const members = new Map<string, string>();
  for (const organization of names) {
    for (const team of await options.caller.list<{ id: number; name: string }>(
      `/orgs/${organization}/teams`,
    )) {
      const people = await options.caller.list<{ login: string }>(`/teams/${team.id}/members`);
      if (team.name === 'Owners') {
        if (people.length === 0) session.violation(`organization ${organization}: has no owner`);
        continue;
      }
      teams.set(`${organization}/${team.name}`, String(team.id));
      for (const { login } of people) members.set(`${organization}/${team.name}/${login}`, 'there');
    }
  }
  tell(session, world.teams.differences('team', teams));
  tell(session, world.members.differences('member', members));
}

async function compareQuota(session: Session): Promise<void> {
  const { world, options } = session;
  const { admin, quotaNames } = options;
  const lists = [
    ['rules', quotaNames.rules, world.quota.rulesListed()],
    ['groups', quotaNames.groups, world.quota.groupsListed()],
  ] as const;
  for (const [what, names, expected] of lists) {
    const { json } = await admin.read(`/admin/quota/${what}`);
    const actual = (json as { name: string }[]).filter(({ name }) => names.includes(name));
    if (stringifyJson(sorted(actual)) !== stringifyJson(sorted(expected as readonly { name: string }[])))
      session.violation(`quota ${what}: ${stringifyJson(actual)}, must be ${stringifyJson(expected)}`);
  }
  for (const { name } of world.quota.groupsListed()) {
    const { json } = await admin.read(`/admin/quota/groups/${name}/users`);
    const users = (json as { login: string }[]).map(({ login }) => login).sort();
    const expected = world.quota.membersListed(name);
    if (users.join() !== expected.join())
      session.violation(`quota group ${name}: has ${users.join()}, must have ${expected.join()}`);
  }
}

/** git is told what the API tells. */
async function compareGit(session: Session, name: string): Promise<void> {
  const { git, gitUrl } = session.options;
  const branches = await git.branches(gitUrl(name));
  const model = session.world.contents.get(name);
  if (!branches) session.violation(`${name}: git ls-remote fails`);
  else tell(session, model?.branches.differences(`${name}: git branch`, branches) ?? []);
}

const sorted = (list: readonly { readonly name: string }[]) =>
  list.toSorted((one, other) => (one.name < other.name ? -1 : 1));

function tell(session: Session, differences: readonly string[]): void {
  for (const text of differences) session.violation(text);
}
