import { startApi, type TestApi } from '../../support/api.js';
import { everybody, type Callers } from './everybody.js';
import {
  addDeployKey,
  addKey,
  addLabel,
  furnishElsewhere,
  furnishIssues,
  furnishOrganizations,
  furnishQuotas,
  furnishRepositories,
  type Elsewhere,
  type Issues,
  type Make,
  type Repositories,
  type Teams,
} from './furnish.js';
import { addHook, addHookTo, type DeliveredHook, type HookFamilyName } from './hooks.js';
import type { Names } from './row.js';

/** What the matrix is asked about, and who asks. */
export interface World {
  readonly api: TestApi;
  readonly callers: Callers;
  /** What parameters name unless a row says otherwise. */
  readonly names: Names;
  readonly teams: Teams;
  readonly repositories: Repositories;
  readonly issues: Issues;
  /** Ids of labels, by the organization's name. */
  readonly labels: Readonly<Record<'acme' | 'rivals', number>>;
  /** Ids of public keys, by the owner's name. */
  readonly keys: Readonly<Record<'member' | 'owner', number>>;
  /** One in each kind of place. */
  readonly hooks: Readonly<Record<HookFamilyName, DeliveredHook>>;
  /** What is below other parents. */
  readonly elsewhere: Elsewhere & {
    readonly token: number;
    readonly hooks: Readonly<Record<'other' | 'rivals', DeliveredHook>>;
  };
  /** The id of a key of the repository `code` of `acme`. */
  readonly deployKey: number;
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
  const repositories = await furnishRepositories(make, teams);
  const issues = await furnishIssues(make);
  const elsewhere = await furnishElsewhere(make);
  const hookAt = (path: string) => addHookTo(make, api.connections.db, path);
  const { id: token } = await api.createToken('member', 'all');
  let names = 0;
  return {
    api,
    callers,
    teams,
    repositories,
    issues,
    labels: { acme: await addLabel(make, 'acme'), rivals: await addLabel(make, 'rivals') },
    hooks: {
      repo: await addHook(make, api.connections.db, 'repo'),
      org: await addHook(make, api.connections.db, 'org'),
      user: await addHook(make, api.connections.db, 'user'),
      admin: await addHook(make, api.connections.db, 'admin'),
    },
    elsewhere: {
      ...elsewhere,
      token: (await api.createToken('owner', 'all')).id,
      hooks: {
        other: await hookAt('/repos/acme/other/hooks'),
        rivals: await hookAt('/orgs/rivals/hooks'),
      },
    },
    deployKey: await addDeployKey(make),
    keys: { member: await addKey(make, 'member'), owner: await addKey(make, 'owner') },
    names: {
      username: 'member',
      org: 'acme',
      quotagroup: 'gold',
      quotarule: 'small',
      token,
      owner: 'acme',
      repo: 'code',
      index: 1,
    },
    unique: () => `unique${(names += 1)}`,
    make,
  };
}
