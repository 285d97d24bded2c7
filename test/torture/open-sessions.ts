import { ADMIN } from '../support/processes/site.js';
import { Caller, type Tally } from './caller.js';
import { GitHands } from './git.js';
import type { HookReceiver } from './receiver.js';
import { Session } from './session.js';
import type { Violations } from './violations.js';

export interface Opening {
  readonly address: () => string;
  readonly receiver: HookReceiver;
  readonly tally: Tally;
  readonly violations: Violations;
}

/** The repository to which all clients write. */
export const SHARED = 'commons/board';
/** Bytes that a limited client may store: little enough that it meets the limit. */
export const STORAGE_LIMIT = 60_000;

const PASSWORD = 'correct horse';
const SHARED_USERS = ['quota-one', 'quota-two'];
const HOW = { keyed: true, patienceMs: 60_000 };
const GROUP = 'small';

/** Makes users and what they share, while nothing goes wrong yet; every other client is limited in what it stores. */
export async function openSessions(
  { address, receiver, tally, violations }: Opening,
  names: readonly string[],
): Promise<Session[]> {
  const basic = ({ username, password }: typeof ADMIN) =>
    `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const as = (username: string, password = PASSWORD, name = username) =>
    new Caller(address, name, basic({ username, password }), tally);
  const setup = as(ADMIN.username, ADMIN.password, 'setup');

  const owners = names.map((name) => `${name}-owner`);
  for (const username of [...names, ...owners, ...SHARED_USERS, 'commons']) {
    const email = `${username}@example.org`;
    const user = { username, email, password: PASSWORD, must_change_password: false };
    await done(setup, 'POST', '/admin/users', user);
  }
  const rules = [{ name: GROUP, limit: STORAGE_LIMIT, subjects: ['size:all'] }];
  await done(setup, 'POST', '/admin/quota/groups', { name: GROUP, rules });
  const isLimited = (name: string) => names.indexOf(name) % 2 === 1;
  for (const name of names.filter(isLimited))
    await done(setup, 'PUT', `/admin/quota/groups/${GROUP}/users/${name}`, undefined);
  const commons = as('commons');
  await done(commons, 'POST', '/user/repos', { name: 'board', auto_init: true, default_branch: 'main' });
  for (const name of names)
    await done(commons, 'PUT', `/repos/${SHARED}/collaborators/${name}`, { permission: 'write' });
  const config = { url: `${receiver.url}/site`, content_type: 'json' };
  const events = ['push', 'issues', 'issue_comment', 'repository'];
  await done(setup, 'POST', '/admin/hooks', { type: 'forgejo', config, events, active: true });

  return Promise.all(
    names.map(async (name, index) => {
      const { status, json, text } = await done(as(name), 'POST', `/users/${name}/tokens`, {
        name: 'torture',
        scopes: ['all'],
      });
      if (status !== 201) throw new Error(text);
      const { sha1: token } = json as { sha1: string };
      const several = (kind: string) => [1, 2, 3].map((number) => `${name}-${kind}-${number}`);
      return new Session({
        name,
        people: names.filter((other) => other !== name),
        quotaNames: {
          own: owners[index] ?? '',
          rules: several('rule'),
          groups: several('group'),
          shared: SHARED_USERS,
        },
        isLimited: isLimited(name),
        shared: SHARED,
        caller: new Caller(address, name, `token ${token}`, tally),
        admin: as(ADMIN.username, ADMIN.password, `${name}-admin`),
        git: await GitHands.open(name),
        gitUrl: (fullName) => `${address().replace('://', `://${name}:${token}@`)}/${fullName}.git`,
        hookUrl: receiver.url,
        violations,
      });
    }),
  );
}

async function done(caller: Caller, method: string, path: string, body: unknown) {
  const answer = await caller.write(method, path, body, HOW);
  if (!answer || answer.status >= 400) throw new Error(`${method} ${path}: ${answer?.text ?? 'no answer'}`);
  return answer;
}
