import { newKey } from '../../support/public-keys.js';

/** Calls as the administrator and gives the body; throws unless it succeeds. */
export type Make = <T = void>(method: string, path: string, body?: unknown) => Promise<T>;

/** What a team of readers may do. */
export const READS_CODE = { permission: 'read', units: ['repo.code'] };

export const LABEL = { name: 'defect', color: 'ee0701' };

/** Ids of teams. */
export interface Teams {
  readonly readers: number;
  readonly writers: number;
  /** Of `rivals`, the organization of the stranger. */
  readonly rivals: number;
  /** Of `club`, which is limited. */
  readonly club: number;
  /** Of `secret`, which is private. */
  readonly secret: number;
}

/** `gold` holds the rule `small` and the member; `silver` holds `large` and the stranger. */
export async function furnishQuotas(make: Make): Promise<void> {
  for (const [group, rule, username] of [
    ['gold', 'small', 'member'],
    ['silver', 'large', 'stranger'],
  ] as const) {
    await make('POST', '/admin/quota/groups', {
      name: group,
      rules: [{ name: rule, limit: 1, subjects: [] }],
    });
    await make('PUT', `/admin/quota/groups/${group}/users/${username}`);
  }
}

/** The owner's are `acme`, which is public, and two that are not; `rivals` is the stranger's. */
export async function furnishOrganizations(make: Make): Promise<Teams> {
  const found = async (username: string, owner: string, visibility = 'public') => {
    await make('POST', `/admin/users/${owner}/orgs`, { username, visibility });
    return addTeam(username, 'people');
  };
  const addTeam = async (org: string, name: string) => {
    const { id } = await make<{ id: number }>('POST', `/orgs/${org}/teams`, { ...READS_CODE, name });
    return id;
  };
  const writers = await found('acme', 'owner');
  const teams = {
    writers,
    readers: await addTeam('acme', 'readers'),
    rivals: await found('rivals', 'stranger'),
    club: await found('club', 'owner', 'limited'),
    secret: await found('secret', 'owner', 'private'),
  };
  await make('PUT', `/teams/${writers}/members/member`);
  await make('PUT', `/teams/${teams.readers}/members/reader`);
  await make('PUT', '/orgs/acme/public_members/member?sudo=member');
  return teams;
}

/** Its id. */
export async function addLabel(make: Make, org: string): Promise<number> {
  const { id } = await make<{ id: number }>('POST', `/orgs/${org}/labels`, LABEL);
  return id;
}

/** Its id. */
export async function addKey(make: Make, username: string): Promise<number> {
  const key = newKey();
  const { id } = await make<{ id: number }>('POST', `/admin/users/${username}/keys`, { title: key, key });
  return id;
}
