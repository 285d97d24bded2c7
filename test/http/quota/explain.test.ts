import { expect } from 'chai';
import { v4 } from 'uuid';
import { CommandHandler } from '../../../src/commands/handle.js';
import { Storage } from '../../../src/commands/quota/storage.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import { fresh, quotaApi } from './quota-api.js';

const PUBLIC = 'size:repos:public';
const context = () => ({ commandId: v4(), at: new Date().toISOString() });

interface Explanation {
  readonly position: number;
  readonly allowed: boolean;
  readonly decided_by: unknown;
  readonly groups: readonly Group[];
}
/** Resolves with the position that somebody next takes for the last one of the log. */
function nextLastPosition(): Promise<bigint> {
  const asked = Object.getOwnPropertyDescriptor(EventLog.prototype, 'lastPosition')
    ?.value as EventLog['lastPosition'];
  return new Promise((resolve) => {
    EventLog.prototype.lastPosition = async function () {
      EventLog.prototype.lastPosition = asked;
      const last = await asked.call(this);
      resolve(last);
      return last;
    };
  });
}

interface Group {
  readonly name: string;
  readonly joined: unknown;
  readonly rules: readonly unknown[];
}

describe('the explanation of a quota decision', () => {
  const { api, alice } = quotaApi();
  const explain = async (query: string, username = 'alice') =>
    (await api().admin.get(`/admin/users/${username}/quota/explain?${query}`)).json as Explanation;
  const group = async (limit: number, ...subjects: string[]) => {
    const name = fresh('group');
    const body = { name, rules: [{ name: `${name} rule`, limit, subjects }] };
    expect((await api().admin.post('/admin/quota/groups', body)).status).to.equal(201);
    return name;
  };
  const join = async (name: string, username = 'alice') => {
    expect((await api().admin.put(`/admin/quota/groups/${name}/users/${username}`)).status).to.equal(204);
  };
  const record = (objectId: string, bytes: bigint, accountId = alice().id) => {
    const commands = new CommandHandler({ log: api().connections.log });
    const storage = new Storage({ commands, limited: true });
    return storage.record(accountId, { objectId, subject: PUBLIC, bytes }, context());
  };
  const store = async (...recorded: Parameters<typeof record>) => {
    await record(...recorded);
    await api().shown();
  };
  afterEach(async () => {
    await api().admin.post('/admin/users/alice/quota/groups', { groups: [] });
    await store('1', 0n);
  });

  it('is for administrators alone, and asks for a subject, a size and a moment that there are', async () => {
    const path = '/admin/users/alice/quota/explain';
    expect((await api().anonymous.get(`${path}?subject=size:all`)).status).to.equal(401);
    expect((await alice().get(`${path}?subject=size:all`)).status).to.equal(403);
    for (const query of ['', '?subject=size', '?subject=size:all&size=-1', '?subject=size:all&as_of=never'])
      expect((await api().admin.get(path + query)).status, query).to.equal(422);
    const huge = await api().admin.get(`${path}?subject=size:all&size=${2n ** 63n - 1n}`);
    expect([huge.status, (huge.json as { size: unknown }).size]).to.deep.equal([200, 2n ** 63n - 1n]);
    const nobody = await api().admin.get('/admin/users/nobody/quota/explain?subject=size:all');
    expect(nobody.status).to.equal(404);
  });

  it('says what each group and rule finds, and which of them decides', async () => {
    const [strict, narrow] = [await group(10, 'size:repos:all'), await group(0, 'size:git:lfs')];
    await join(strict);
    await join(narrow);
    await store('1', 8n);
    const refused = await explain(`subject=${PUBLIC}&size=3`);
    expect(refused).to.deep.include({ subject: PUBLIC, size: 3, as_of: null, allowed: false });
    expect(refused.decided_by).to.deep.equal({ group: strict, rule: `${strict} rule` });
    expect(refused.groups.map(({ name }) => name)).to.deep.equal([strict, narrow]);
    expect(refused.groups[0]).to.deep.include({ via: 'member', passes: false });
    expect(refused.groups[0]?.rules[0]).to.deep.include({ covers: true, used: 8, limit: 10, passes: false });
    expect(refused.groups[1]).to.deep.include({ via: 'member', passes: null });
    expect(refused.groups[1]?.rules[0]).to.deep.include({ covers: false, used: 0, passes: null });

    const allowed = await explain(`subject=${PUBLIC}&size=2`);
    expect(allowed).to.deep.include({ allowed: true, decided_by: { group: strict, rule: null } });
    expect(await explain('subject=size:assets:wiki')).to.deep.include({ allowed: true, decided_by: null });
  });

  it('says who set what and when, as the history has it', async () => {
    const name = await group(10, 'size:all');
    await join(name);
    await api().admin.patch(`/admin/quota/rules/${encodeURIComponent(`${name} rule`)}`, { limit: 20 });
    const { json } = await api().admin.get('/admin/quota/history?limit=50');
    const history = json as readonly { type: string; position: number; event_id: string; at: string }[];
    const change = (type: string) => {
      const found = history.find((each) => each.type === type);
      return (
        found && {
          at: found.at,
          actor: { id: 1, name: 'root' },
          position: found.position,
          event_id: found.event_id,
        }
      );
    };
    const { groups } = await explain('subject=size:all');
    expect(groups[0]).to.deep.include({
      created: change('QuotaGroupCreated'),
      joined: change('AddedToQuotaGroup'),
    });
    expect(groups[0]?.rules[0]).to.deep.include({
      limit: 20,
      set: change('QuotaRuleEdited'),
      added: change('RuleAddedToQuotaGroup'),
    });
  });

  it('is of any moment, by its time as well', async () => {
    const name = await group(10, 'size:all');
    await join(name);
    await store('1', 8n);
    const { json } = await api().admin.get('/admin/quota/history?limit=1');
    const [joined] = json as readonly { at: string; type: string }[];
    expect(joined?.type).to.equal('AddedToQuotaGroup');
    await api().admin.delete(`/admin/quota/groups/${name}`);
    expect(await explain('subject=size:all&size=11')).to.deep.include({ allowed: true });
    const then = await explain(`subject=size:all&size=11&as_of=${encodeURIComponent(joined?.at ?? '')}`);
    expect(then).to.deep.include({ allowed: false, as_of: joined?.at });
    expect(then.decided_by).to.deep.equal({ group: name, rule: `${name} rule` });
    expect(then.groups[0]?.rules[0], 'nothing was stored yet').to.deep.include({ used: 0 });
  });

  it('is of the position that it names: 503 while the read models do not show that yet', async () => {
    await join(await group(1, 'size:all'));
    await api().shown();
    await api().pauseProjector();
    const position = await record('1', 7n);
    const path = '/admin/users/alice/quota/explain?subject=size:all';
    expect((await api().admin.get(path)).status).to.equal(503);
    api().resumeProjector();
    const { json } = await api().admin.get(path);
    expect(json).to.deep.include({ position: Number(position), allowed: false });
  });

  it('leaves out what is stored while it waits for the read models', async () => {
    await join(await group(100, 'size:all'));
    await api().shown();
    await api().pauseProjector();
    const position = await record('1', 7n);
    const taken = nextLastPosition();
    const asked = explain('subject=size:all');
    expect(await taken).to.equal(position);
    await record('1', 9n);
    api().resumeProjector();
    const { groups, ...rest } = await asked;
    expect(rest).to.deep.include({ position: Number(position) });
    expect(groups[0]?.rules[0]).to.deep.include({ used: 7 });
  });

  it('is the built-in limit where no group applies', async () => {
    const { groups, decided_by } = await explain('subject=size:all');
    expect(decided_by).to.deep.equal({ group: 'default', rule: null });
    expect(groups).to.have.length(1);
    expect(groups[0]).to.deep.include({ name: 'default', via: 'built-in', created: null });
  });

  it('is at the address that a refusal gives, whatever was changed since', async () => {
    const name = await group(0, 'size:all');
    await join(name);
    const { status, json } = await alice().post('/user/repos', { name: fresh('repo').replace(' ', '-') });
    expect(status).to.equal(413);
    const { reason } = json as { reason: Record<string, unknown> & { explain: string; position: number } };
    expect(reason).to.deep.include({ group: name, rule: `${name} rule`, limit: 0, used: 0, incoming: null });
    await api().admin.delete(`/admin/quota/groups/${name}`);
    await api().admin.delete(`/admin/quota/rules/${encodeURIComponent(`${name} rule`)}`);
    expect(reason.explain).to.match(/^http:\/\/.*\/api\/v1\/admin\/users\/alice\/quota\/explain\?/);
    const path = reason.explain.slice(reason.explain.indexOf('/admin/'));
    const { json: then } = await api().admin.get(path);
    expect(then).to.deep.include({ allowed: false, position: reason.position });
    expect(then).to.deep.include({ decided_by: { group: name, rule: `${name} rule` } });
    expect(await explain('subject=size:repos:public')).to.deep.include({ allowed: true });
  });

  it('of an organization is for its owners as well, who are not told which administrator set their limits', async () => {
    expect((await alice().post('/orgs', { username: 'foundry' })).status).to.equal(201);
    const name = await group(0, 'size:all');
    await join(name, 'foundry');
    const admin = await explain('subject=size:all', 'foundry');
    expect(admin.groups[0]?.joined).to.deep.include({ actor: { id: 1, name: 'root' } });
    const { status, json } = await alice().get('/orgs/foundry/quota/explain?subject=size:all');
    expect(status).to.equal(200);
    const owner = json as Explanation;
    expect(owner).to.deep.include({ allowed: false, decided_by: { group: name, rule: `${name} rule` } });
    expect(owner.groups[0]?.joined).to.deep.include({ actor: null });
    const stranger = await api().createUser('stranger');
    expect((await stranger.get('/orgs/foundry/quota/explain?subject=size:all')).status).to.equal(403);
  });
});
