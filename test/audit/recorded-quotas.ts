import { v4 } from 'uuid';
import { CommandHandler } from '../../src/commands/handle.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';
import { stringifyJson } from '../../src/values/json.js';
import { startApi, type TestApi, type TestUser } from '../support/api.js';
import { randomCommand, requestOf, type Names } from '../support/processes/quota-commands.js';
import type { Random } from '../support/random.js';
import { randomStorageCommand } from './random-storage.js';

export const USERS = ['alice', 'ben', 'cem'];
/** Alice's. It stores things and is in groups, as users do. */
const ORGANIZATION = 'guild';
const ACCOUNTS = [...USERS, ORGANIZATION];
const LISTS = ['attachments', 'packages', 'artifacts'];

export const NAMES: Names = {
  rules: ['first', 'second', 'third'],
  groups: ['blue', 'green', 'red'],
  own: 'alice',
  shared: ['ben', 'cem', ORGANIZATION],
};

/** Some quotas with a past: every answer of the API as it was right after each command. */
export interface RecordedQuotas {
  readonly api: TestApi;
  readonly alice: TestUser;
  readonly ids: ReadonlyMap<string, number>;
  /** By the position that the log had then. */
  readonly answers: ReadonlyMap<bigint, readonly string[]>;
}

/** Makes users, and as many random changes to quotas and usage. */
export async function recordQuotas(random: Random, changes: number): Promise<RecordedQuotas> {
  const api = await startApi();
  const users = await Promise.all(USERS.map((name) => api.createUser(name)));
  const [alice] = users as [TestUser];
  const { json } = await alice.post('/orgs', { username: ORGANIZATION });
  const ids = new Map(users.map(({ username, id }) => [username, id]));
  ids.set(ORGANIZATION, (json as { id: number }).id);
  const answers = new Map<bigint, readonly string[]>();
  for (let change = 0; change < changes; change += 1) {
    if (random.chance(0.4)) await changeStorage(api, random, ids.get(random.pick(ACCOUNTS)) ?? 0);
    else await carryOut(api, random);
    answers.set(await api.connections.log.lastPosition(), await allAnswers(api, alice));
  }
  return { api, alice, ids, answers };
}

/** What every GET about quotas answers that takes a moment, live or as of one; but for the moment that some tell. */
export function allAnswers(api: TestApi, alice: TestUser, asOf?: string): Promise<string[]> {
  const { rules, groups } = NAMES;
  const each = (path: string, names: readonly string[]) => names.map((name) => path.replace('*', name));
  const paths = [
    '/admin/quota/rules',
    ...each('/admin/quota/rules/*', rules),
    '/admin/quota/groups',
    ...each('/admin/quota/groups/*', groups),
    ...each('/admin/quota/groups/*/users', groups),
    ...each('/admin/users/*/quota', USERS),
    ...each('/admin/users/*/quota/explain?subject=size:repos:public&size=500', USERS),
    `/orgs/${ORGANIZATION}/quota`,
    `/orgs/${ORGANIZATION}/quota/check?subject=size:git:lfs`,
    `/orgs/${ORGANIZATION}/quota/explain?subject=size:git:lfs`,
    ...each(`/orgs/${ORGANIZATION}/quota/*`, LISTS),
  ];
  const query = asOf === undefined ? '' : `as_of=${encodeURIComponent(asOf)}`;
  const asked = [
    ...paths.map((path) => ({
      path,
      answer: api.admin.get(`${path}${path.includes('?') ? '&' : '?'}${query}`),
    })),
    ...LISTS.map((list) => ({ path: list, answer: alice.get(`/user/quota/${list}?${query}`) })),
    { path: 'mine', answer: alice.get(`/user/quota?${query}`) },
    { path: 'check', answer: alice.get(`/user/quota/check?subject=size:repos:public&${query}`) },
  ];
  return Promise.all(
    asked.map(async ({ path, answer }) => {
      const { status, text, json } = await answer;
      if (!path.includes('/explain') || status !== 200) return `${path}: ${status} ${text}`;
      return `${path}: ${stringifyJson({ ...(json as object), as_of: null, position: null })}`;
    }),
  );
}

async function carryOut(api: TestApi, random: Random): Promise<void> {
  const { method, path, body } = requestOf(randomCommand(random, NAMES));
  const { status, text } = await (body === undefined
    ? api.admin.send(method, path)
    : api.admin.send(method, path, stringifyJson(body), { 'content-type': 'application/json' }));
  if (status >= 500) throw new Error(`${method} ${path}: ${text}`);
}

/** Something that changes what an account stores or has reserved, as repositories do. */
async function changeStorage(api: TestApi, random: Random, accountId: number): Promise<void> {
  const { log } = api.connections;
  const commands = new CommandHandler({ log });
  const at = new Date().toISOString();
  const { reservations } = (await commands.load(StorageLedger, accountId)).state;
  const open = [...reservations.keys()].sort();
  const bytes = `${random.below(2_000)}`;
  const expiresAt = new Date(Date.parse(at) + 3_600_000).toISOString();
  const command = randomStorageCommand(random, { open, bytes, expiresAt, at });
  await commands.handle(StorageLedger, accountId, command, { commandId: v4(), at });
  await api.shown();
}
