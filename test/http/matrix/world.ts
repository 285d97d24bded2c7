import { startApi, type TestApi } from '../../support/api.js';
import { everybody, type Callers } from './everybody.js';
import { addKey, addLabel, furnishOrganizations, furnishQuotas, type Make, type Teams } from './furnish.js';
import type { Names } from './row.js';

/** What the matrix is asked about, and who asks. */
export interface World {
  readonly api: TestApi;
  readonly callers: Callers;
  /** What parameters name unless a row says otherwise. */
  readonly names: Names;
  readonly teams: Teams;
  /** Ids of labels, by the organization's name. */
  readonly labels: Readonly<Record<'acme' | 'rivals', number>>;
  /** Ids of public keys, by the owner's name. */
  readonly keys: Readonly<Record<'member' | 'owner', number>>;
  /** A name that nothing has yet. */
  readonly unique: () => string;
  readonly make: Make;
}

/** Everything that cells name, made once, through the API itself. */
export async function createWorld(): Promise<World> {
  const loginLimits = { perAccountAndAddress: 100_000, perAddress: 100_000, windowSeconds: 60 };
  const api = await startApi({ loginLimits });
  const make: Make = async <T>(method: string, path: string, body?: unknown) => {
    const { status, text, json } = await api.admin.send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json as T;
  };
  const callers = await everybody(api, make);
  await api.createUser('hidden', { visibility: 'private' });
  await furnishQuotas(make);
  const teams = await furnishOrganizations(make);
  const { id: token } = await api.createToken('member', 'all');
  let names = 0;
  return {
    api,
    callers,
    teams,
    labels: { acme: await addLabel(make, 'acme'), rivals: await addLabel(make, 'rivals') },
    keys: { member: await addKey(make, 'member'), owner: await addKey(make, 'owner') },
    names: { username: 'member', org: 'acme', quotagroup: 'gold', quotarule: 'small', token },
    unique: () => `unique${(names += 1)}`,
    make,
  };
}
