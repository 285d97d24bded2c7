import { join } from 'node:path';
import { accounts } from '../../../projections/accounts/accounts.js';
import { schemaOf } from '../../../projections/projection.js';
import { repositories } from '../../../projections/repositories/repositories.js';
import { Layout } from '../../../src/git/disk/layout.js';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';
import type { Client } from '../../support/client.js';
import { dataDir } from '../../support/data-dir.js';
import { output } from '../../support/programs.js';
import { found, joined, team } from '../organizations/world.js';

/** An api with repositories of a user and of an organization, and people in every relation to them. */
export interface PeopleApi {
  readonly api: TestApi;
  /** Of `owner/open`, which is public, `owner/shut`, which is not, and the organization `acme`. */
  readonly owner: TestUser;
  /** Collaborators of both of the owner's. */
  readonly reader: TestUser;
  readonly writer: TestUser;
  readonly administrator: TestUser;
  /** In the team `readers` of `acme`, which reads code. */
  readonly member: TestUser;
  readonly stranger: TestUser;
  readonly wrong: Client;
  readonly readersId: number;
  /** What a program of git says about a repository on disk. */
  readonly git: (repositoryId: number, ...parameters: string[]) => Promise<string>;
}

/** The api that the tests of one file share. */
export function peopleApi(): () => PeopleApi {
  let shared: PeopleApi;
  let folder: Awaited<ReturnType<typeof dataDir>>;
  before(async () => {
    folder = await dataDir();
    const api = await startApi({ config: { dataDir: folder.path } });
    const [owner, reader, writer, administrator, member, stranger] = (await Promise.all(
      ['owner', 'reader', 'writer', 'administrator', 'member', 'stranger'].map((name) =>
        api.createUser(name),
      ),
    )) as [TestUser, TestUser, TestUser, TestUser, TestUser, TestUser];
    for (const [name, isPrivate] of [
      ['open', false],
      ['shut', true],
    ] as const) {
      await repository(owner, '/user/repos', { name, private: isPrivate, auto_init: true });
      for (const [who, permission] of [
        ['reader', 'read'],
        ['writer', 'write'],
        ['administrator', 'admin'],
      ])
        await done(owner.put(`/repos/owner/${name}/collaborators/${who}`, { permission }));
    }
    await found(owner, { username: 'acme' });
    const readersId = await team(owner, 'acme', { name: 'readers', units: ['repo.code'] });
    await joined(owner, readersId, member);
    const wrong = api.as({ username: 'owner', password: 'not the password' });
    const layout = new Layout(join(folder.path, 'repositories'));
    const git = async (id: number, ...parameters: string[]) =>
      (await output('git', parameters, { cwd: layout.pathOf(id) })).trim();
    shared = { api, owner, reader, writer, administrator, member, stranger, wrong, readersId, git };
  });
  after(async () => {
    await shared.api.stop();
    await folder.remove();
  });
  return () => shared;
}

/** A repository as its creation answers. */
export interface CreatedRepository {
  readonly id: number;
  readonly name: string;
  readonly full_name: string;
  readonly default_branch: string;
}

/** Creates a repository. */
export async function repository(client: Client, path: string, body: object): Promise<CreatedRepository> {
  const { status, json, text } = await client.post(path, body);
  if (status !== 201) throw new Error(`no repository: ${text}`);
  return json as CreatedRepository;
}

/** Throws unless it is answered with success. */
export async function done(answer: ReturnType<Client['get']>): Promise<unknown> {
  const { status, json, text } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return json;
}

/** The hash of the commit that the default branch of a repository points to. */
export async function firstHash({ connections }: TestApi, place: string, branch = 'main'): Promise<string> {
  const [owner, name] = place.split('/');
  const [inAccounts, inRepositories] = [schemaOf(accounts), schemaOf(repositories)];
  const [row] = await connections.db.rows<{ hash: string }>(`
    select f.hash from ${inRepositories}.refs f join ${inRepositories}.repositories r on r.id = f.repository_id
    join ${inAccounts}.accounts a on a.id = r.owner_id and a.valid_until = 9223372036854775807
    where a.lower_name = '${owner}' and r.lower_name = '${name}' and f.name = 'refs/heads/${branch}'`);
  if (!row) throw new Error(`${place} has no ${branch}`);
  return row.hash;
}
