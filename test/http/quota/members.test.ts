import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { CommandHandler } from '../../../src/commands/handle.js';
import { QUOTA_CATALOGUE, QuotaCatalogue } from '../../../src/domain/quota/quota-catalogue.js';
import { fresh, quotaApi } from './quota-api.js';

const GROUPS = '/admin/quota/groups';

describe('members of quota groups', () => {
  const { api, alice } = quotaApi();
  const createGroup = async () => {
    const name = fresh('group');
    expect((await api().admin.post(GROUPS, { name })).status).to.equal(201);
    return name;
  };
  const logins = async (group: string) =>
    ((await api().admin.get(`${GROUPS}/${group}/users`)).json as { login: string }[]).map(
      ({ login }) => login,
    );
  const setGroups = (groups: unknown) => api().admin.post('/admin/users/alice/quota/groups', { groups });

  it('are added and removed by administrators alone', async () => {
    const path = `${GROUPS}/${await createGroup()}/users/alice`;
    for (const call of [() => alice().put(path), () => alice().delete(path)]) {
      expect((await call()).status).to.equal(403);
    }
    expect((await api().anonymous.put(path)).status).to.equal(401);
  });

  it('are added once, under their name in any letter case', async () => {
    const group = await createGroup();
    expect((await api().admin.put(`${GROUPS}/${group}/users/ALICE`)).status).to.equal(204);
    expect((await api().admin.put(`${GROUPS}/${group}/users/alice`)).status).to.equal(409);
    expect(await logins(group)).to.deep.equal(['alice']);
  });

  it('must exist, as must the group', async () => {
    const group = await createGroup();
    for (const [in_, who] of [
      [group, 'nobody'],
      ['none', 'alice'],
      ['none', 'nobody'],
    ]) {
      expect((await api().admin.put(`${GROUPS}/${in_}/users/${who}`)).status).to.equal(404);
      expect((await api().admin.delete(`${GROUPS}/${in_}/users/${who}`)).status).to.equal(404);
    }
  });

  it('do not join a group that was deleted, though the read models still show it', async () => {
    const name = await createGroup();
    await api().shown();
    await api().pauseProjector();
    try {
      const commands = new CommandHandler({ log: api().connections.log });
      const data = { name, at: '2026-01-01T00:00:00Z' };
      const context = { commandId: randomUUID(), at: data.at };
      await commands.handle(QuotaCatalogue, QUOTA_CATALOGUE, { type: 'DeleteQuotaGroup', data }, context);
      expect((await api().admin.put(`${GROUPS}/${name}/users/alice`)).status).to.equal(404);
      expect((await setGroups([name])).status).to.equal(422);
    } finally {
      api().resumeProjector();
    }
  });

  it('are removed where they are in it', async () => {
    const path = `${GROUPS}/${await createGroup()}/users/alice`;
    expect((await api().admin.delete(path)).status).to.equal(404);
    await api().admin.put(path);
    expect((await api().admin.delete(path)).status).to.equal(204);
    expect((await api().admin.delete(path)).status).to.equal(404);
  });

  it('are not removed again from a deleted group, even under its name, by changes after that', async () => {
    const group = await createGroup();
    const carol = await api().createUser('carol');
    await api().admin.put(`${GROUPS}/${group}/users/${carol.username}`);
    await api().admin.delete(`${GROUPS}/${group}`);
    await api().admin.post(GROUPS, { name: group });
    const set = await api().admin.post(`/admin/users/${carol.username}/quota/groups`, { groups: [] });
    const deleted = await api().admin.delete(`/admin/users/${carol.username}`);
    expect([set.status, deleted.status]).to.deep.equal([204, 204]);
    const { json } = await api().admin.get(`/admin/quota/history?group=${group}`);
    expect((json as { type: string }[]).map(({ type }) => type)).to.deep.equal([
      'QuotaGroupCreated',
      'QuotaGroupDeleted',
      'AddedToQuotaGroup',
      'QuotaGroupCreated',
    ]);
  });

  it('are shown as users, as administrators see them, by lower-case name', async () => {
    await api().createUser('Bob');
    const group = await createGroup();
    for (const name of ['root', 'Bob', 'alice']) await api().admin.put(`${GROUPS}/${group}/users/${name}`);
    expect(await logins(group)).to.deep.equal(['alice', 'Bob', 'root']);
    const { json, headers } = await api().admin.get(`${GROUPS}/${group}/users`);
    const [first] = json as object[];
    expect(first).to.deep.equal((await api().admin.get('/users/alice')).json);
    expect(headers.get('x-total-count')).to.equal('3');
  });

  it('of a moment are told in the same order each time, also where their names were erased since', async () => {
    const group = await createGroup();
    const members = [await api().createUser('dora'), await api().createUser('emil')];
    for (const { username } of members) await api().admin.put(`${GROUPS}/${group}/users/${username}`);
    const then = await api().connections.log.lastPosition();
    for (const { username } of members.toReversed())
      await api().admin.delete(`/admin/users/${username}?purge=true&erase=true`);
    const { json } = await api().admin.get(`${GROUPS}/${group}/users?as_of=${then}`);
    expect((json as { id: number }[]).map(({ id }) => id)).to.deep.equal(members.map(({ id }) => id));
  });

  it('are set as a whole: what is not listed is left, a name twice counts once', async () => {
    const [one, two, three] = [await createGroup(), await createGroup(), await createGroup()];
    expect((await setGroups([one, two])).status).to.equal(204);
    expect((await setGroups([two, three, two])).status).to.equal(204);
    expect([await logins(one), await logins(two), await logins(three)]).to.deep.equal([
      [],
      ['alice'],
      ['alice'],
    ]);
    expect((await setGroups([])).status).to.equal(204);
    expect(await logins(two)).to.deep.equal([]);
  });

  for (const groups of [undefined, null, 'one', [5], [null]]) {
    it(`are left as they were when groups is ${JSON.stringify(groups)}`, async () => {
      const group = await createGroup();
      await setGroups([group]);
      expect((await setGroups(groups)).status).to.equal(422);
      expect(await logins(group)).to.deep.equal(['alice']);
    });
  }

  it('are left as they were when one of the groups does not exist', async () => {
    const [one, two] = [await createGroup(), await createGroup()];
    await setGroups([one]);
    expect((await setGroups([two, 'none'])).status).to.equal(422);
    expect([await logins(one), await logins(two)]).to.deep.equal([['alice'], []]);
  });

  it('must exist to be set, which is said before the body is looked at', async () => {
    expect((await api().admin.post('/admin/users/nobody/quota/groups', {})).status).to.equal(404);
  });

  it('join once when added by many at once', async () => {
    const group = await createGroup();
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => api().admin.put(`${GROUPS}/${group}/users/alice`)),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, ...Array<number>(31).fill(409)]);
  });
});
