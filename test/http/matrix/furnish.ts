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

/** Its id; of a repository of `acme`. */
export async function addDeployKey(make: Make, repo = 'code'): Promise<number> {
  const key = newKey();
  const { id } = await make<{ id: number }>('POST', `/repos/acme/${repo}/keys`, { title: key, key });
  return id;
}

/** Ids of repositories of `acme`. */
export interface Repositories {
  /** Public; the member writes to it, the team of readers reads it. */
  readonly code: number;
  /** Public; the member administers it. */
  readonly administered: number;
  /** Private, the owner's alone. */
  readonly vault: number;
}

export async function furnishRepositories(make: Make, { readers }: Teams): Promise<Repositories> {
  const create = async (name: string, isPrivate = false) => {
    const body = { name, auto_init: true, private: isPrivate };
    const { id } = await make<{ id: number }>('POST', '/orgs/acme/repos', body);
    return id;
  };
  const repositories = {
    code: await create('code'),
    administered: await create('administered'),
    vault: await create('vault', true),
  };
  await make('POST', '/repos/acme/code/contents/.editorconfig', { new_branch: 'configured' });
  await make('POST', '/repos/acme/code/tags', { tag_name: 'v1', message: 'the first' });
  await create('offered'); // to the member, who has not answered
  await make('POST', '/repos/acme/offered/transfer?sudo=owner', { new_owner: 'member' });
  await make('POST', '/repos/acme/code/branch_protections', { rule_name: 'guarded' });
  await make('PUT', '/repos/acme/code/collaborators/member', { permission: 'write' });
  await make('PUT', '/repos/acme/administered/collaborators/member', { permission: 'admin' });
  await make('PUT', `/teams/${readers}/repos/acme/code`);
  return repositories;
}

/** What the repository `code` of `acme` has: its first issue, with what hangs on it. */
export interface Issues {
  readonly comment: number;
  readonly label: number;
  readonly milestone: number;
}

export async function furnishIssues(make: Make): Promise<Issues> {
  for (const repo of ['code', 'administered', 'vault'])
    await make('POST', `/repos/acme/${repo}/issues`, { title: 'the first' });
  return {
    comment: await addComment(make),
    label: await addRepositoryLabel(make, 'first'),
    milestone: await addMilestone(make),
  };
}

export const addIssue = async (make: Make, title: string): Promise<number> =>
  (await make<{ number: number }>('POST', '/repos/acme/code/issues', { title })).number;

export const addComment = async (make: Make, repo = 'code'): Promise<number> =>
  (await make<{ id: number }>('POST', `/repos/acme/${repo}/issues/1/comments`, { body: 'said' })).id;

export const addRepositoryLabel = async (make: Make, name: string, repo = 'code'): Promise<number> =>
  (await make<{ id: number }>('POST', `/repos/acme/${repo}/labels`, { name, color: 'fff' })).id;

export const addMilestone = async (make: Make, repo = 'code'): Promise<number> =>
  (await make<{ id: number }>('POST', `/repos/acme/${repo}/milestones`, { title: 'v1' })).id;

/** The name of whatever has a name below another parent, and of nothing below those that the matrix asks about. */
export const ELSEWHERE = 'elsewhere';

/** What the repository `other` of `acme` has: whoever may do anything to `code` may do so to these. */
export interface Elsewhere extends Issues {
  readonly deployKey: number;
}

export async function furnishElsewhere(make: Make): Promise<Elsewhere> {
  const repo = 'other';
  const path = `/repos/acme/${repo}`;
  await make('POST', '/orgs/acme/repos', { name: repo, auto_init: true });
  await make('PUT', `${path}/collaborators/member`, { permission: 'admin' });
  await make('POST', `${path}/issues`, { title: 'the first' });
  await make('POST', `${path}/branches`, { new_branch_name: ELSEWHERE });
  await make('POST', `${path}/tags`, { tag_name: ELSEWHERE });
  await make('POST', `${path}/contents/${ELSEWHERE}`, { content: '' });
  await make('POST', `${path}/branch_protections`, { rule_name: ELSEWHERE });
  await make('PUT', `${path}/topics/${ELSEWHERE}`);
  await make('POST', '/orgs/rivals/teams', { ...READS_CODE, name: ELSEWHERE });
  return {
    comment: await addComment(make, repo),
    label: await addRepositoryLabel(make, ELSEWHERE, repo),
    milestone: await addMilestone(make, repo),
    deployKey: await addDeployKey(make, repo),
  };
}
