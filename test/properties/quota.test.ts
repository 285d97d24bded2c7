import { expect } from 'chai';
import fc from 'fast-check';
import { stringifyJson } from '../../src/values/json.js';
import { startApi, type TestApi, type TestUser } from '../support/api.js';
import {
  randomCommand,
  requestOf,
  type Names,
  type QuotaCommand,
} from '../support/processes/quota-commands.js';
import { QuotaModel } from '../support/processes/quota-model.js';
import { expectToRead } from '../support/processes/quota-reading.js';
import { Random } from '../support/random.js';
import { runs } from './runs.js';

/** What is asked for, and the subjects of rules that cover it. */
const COVERED_BY: Readonly<Record<string, readonly string[]>> = {
  'size:repos:public': ['size:all', 'size:git:all'],
  'size:repos:private': ['size:all', 'size:git:all', 'size:repos:private'],
  'size:git:lfs': ['size:all', 'size:git:all'],
  'size:assets:artifacts': ['size:all', 'size:assets:artifacts'],
};

interface Real {
  readonly api: TestApi;
  readonly users: ReadonlyMap<string, TestUser>;
}
interface Believed {
  quota: QuotaModel;
}
type Step = fc.AsyncCommand<Believed, Real>;

/** Changes something; the answer's status is the model's. */
class Change implements Step {
  constructor(private readonly command: QuotaCommand) {}
  check = () => true;
  async run(model: Believed, { api }: Real): Promise<void> {
    const { method, path, body } = requestOf(this.command);
    const outcome = model.quota.after(this.command);
    const type = { 'content-type': 'application/json' };
    const { status, text } = await (body === undefined
      ? api.admin.send(method, path)
      : api.admin.send(method, path, stringifyJson(body), type));
    expect(status, text).to.equal(outcome.status);
    model.quota = outcome.model;
  }
  toString = () => stringifyJson(this.command);
}

/** Asks whether a user who stores nothing may store something. */
class Check implements Step {
  constructor(
    private readonly user: string,
    private readonly subject: string,
  ) {}
  check = () => true;
  async run({ quota }: Believed, { users }: Real): Promise<void> {
    const { json } = (await users.get(this.user)?.get(`/user/quota/check?subject=${this.subject}`)) ?? {};
    expect(json, this.toString()).to.equal(mayStore(quota, this.user, this.subject));
  }
  toString = () => `may ${this.user} store ${this.subject}`;
}

/** Of the groups that say something of the subject one must let it pass, by all of its rules on it. */
function mayStore(quota: QuotaModel, user: string, subject: string): boolean {
  const groups = quota.groupsListed().filter(({ name }) => quota.membersListed(name).includes(user));
  const rules = groups.map(({ rules }) =>
    (rules as { limit: bigint; subjects: readonly string[] }[]).filter(({ subjects }) =>
      subjects.some((listed) => COVERED_BY[subject]?.includes(listed)),
    ),
  );
  const telling = rules.filter((covering) => covering.length > 0);
  return telling.length === 0 || telling.some((covering) => covering.every(({ limit }) => limit !== 0n));
}

const NAMES: Names = {
  own: 'ann',
  rules: ['rule-1', 'rule-2', 'rule-3'],
  groups: ['group-1', 'group-2'],
  shared: ['ben'],
};

const change = fc.nat().map((seed): Step => new Change(randomCommand(new Random(seed), NAMES)));
const check = fc
  .tuple(fc.constantFrom(NAMES.own, ...NAMES.shared), fc.constantFrom(...Object.keys(COVERED_BY)))
  .map(([user, subject]): Step => new Check(user, subject));

describe('any commands on quotas', () => {
  let api: TestApi;
  const users = new Map<string, TestUser>();
  before(async () => {
    api = await startApi();
    for (const name of [NAMES.own, ...NAMES.shared]) users.set(name, await api.createUser(name));
  });
  after(() => api.stop());

  /** Names come again in the next run. */
  async function clear(): Promise<void> {
    for (const user of users.keys())
      await api.admin.post(`/admin/users/${user}/quota/groups`, { groups: [] });
    for (const name of NAMES.groups) await api.admin.delete(`/admin/quota/groups/${name}`);
    for (const name of NAMES.rules) await api.admin.delete(`/admin/quota/rules/${name}`);
  }

  it('are answered as the model answers them, and leave what it has', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands([change, change, check], { maxCommands: 25, size: 'max' }),
        async (commands) => {
          await clear();
          const model: Believed = { quota: new QuotaModel() };
          await fc.asyncModelRun(() => ({ model, real: { api, users } }), commands);
          await expectToRead(api.admin, [model.quota]);
        },
      ),
      runs(6),
    );
  });
});
