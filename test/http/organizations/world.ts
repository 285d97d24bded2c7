import { startApi, type TestApi, type TestUser } from '../../support/api.js';
import type { Client } from '../../support/client.js';

/** An api with `acme`, a public organization, and people in every relation to it. */
export interface OrganizationsApi {
  readonly api: TestApi;
  readonly owner: TestUser;
  /** In the team `readers` of `acme`. */
  readonly member: TestUser;
  readonly stranger: TestUser;
  readonly wrong: Client;
  readonly readersId: number;
  readonly ownersId: number;
}

/** The api that the tests of one file share. */
export function organizationsApi(): () => OrganizationsApi {
  let shared: OrganizationsApi;
  before(async () => {
    const api = await startApi();
    const [owner, member, stranger] = await Promise.all([
      api.createUser('owner', { full_name: 'Adam' }),
      api.createUser('member', { full_name: 'Zoe' }),
      api.createUser('stranger'),
    ]);
    await found(owner, { username: 'Acme', description: 'makes everything' });
    const readersId = await team(owner, 'Acme', { name: 'readers', units: ['repo.code'] });
    await joined(owner, readersId, member);
    const teams = (await owner.get('/orgs/acme/teams')).json as { id: number; name: string }[];
    const ownersId = teams.find(({ name }) => name === 'Owners')?.id ?? 0;
    const wrong = api.as({ username: 'owner', password: 'not the password' });
    shared = { api, owner, member, stranger, wrong, readersId, ownersId };
  });
  after(() => shared.api.stop());
  return () => shared;
}

/** Creates an organization of the client's, and answers with it. */
export async function found(client: Client, body: object): Promise<{ id: number; name: string }> {
  const { status, json, text } = await client.post('/orgs', body);
  if (status !== 201) throw new Error(`no organization: ${text}`);
  return json as { id: number; name: string };
}

/** Creates a team, and answers with its id. */
export async function team(client: Client, organization: string, body: object): Promise<number> {
  const { status, json, text } = await client.post(`/orgs/${organization}/teams`, body);
  if (status !== 201) throw new Error(`no team: ${text}`);
  return (json as { id: number }).id;
}

export async function joined(client: Client, teamId: number, { username }: { username: string }) {
  const { status, text } = await client.put(`/teams/${teamId}/members/${username}`);
  if (status !== 204) throw new Error(`${username} did not join: ${text}`);
}

/** The statuses that the clients get, in their order. */
export const statuses = async (
  clients: readonly Client[],
  call: (client: Client) => Promise<{ status: number }>,
): Promise<number[]> => {
  const answers: number[] = [];
  for (const client of clients) answers.push((await call(client)).status);
  return answers;
};

export const names = (json: unknown): string[] =>
  (json as { name?: string; login?: string }[]).map(({ name, login }) => name ?? login ?? '');
