import { expect } from 'chai';
import { v4 } from 'uuid';
import { CommandHandler } from '../../../src/commands/handle.js';
import { Storage } from '../../../src/commands/quota/storage.js';
import { projections } from '../../../projections/registry.js';
import { schemaOf } from '../../../projections/projection.js';
import { Database } from '../../../src/database/database.js';
import { rehearse as rehearseSince } from '../../../src/rehearsal/rehearse.js';
import { quotaApi } from './quota-api.js';

const PATH = '/admin/quota/rehearsals';
const PUBLIC = 'size:repos:public';

interface Answer {
  readonly position: number;
  readonly operations: number;
  readonly over_total: number;
  readonly over: readonly unknown[];
  readonly refused_total: number;
  readonly refused: readonly Record<string, unknown>[];
}

describe('the rehearsal of quotas over HTTP', () => {
  const { api, alice } = quotaApi();
  const rehearse = async (proposal: object) => {
    const { status, json, text } = await api().admin.post(PATH, proposal);
    expect(status, text).to.equal(200);
    return json as Answer;
  };

  before(async () => {
    const storage = new Storage({
      commands: new CommandHandler({ log: api().connections.log }),
      limited: true,
    });
    for (const [objectId, bytes] of [
      ['1', 30n],
      ['2', 50n],
    ] as const) {
      const context = { commandId: v4(), at: new Date().toISOString() };
      const reservation = await storage.reserve(alice().id, { objectId, subject: PUBLIC, bytes }, context);
      await storage.settle(reservation, bytes, context);
    }
  });

  it('passes over what another program wrote into the log', async () => {
    const event = { id: v4(), type: 'Sold', data: {}, metadata: {} };
    await api().connections.store.append('issue-of-another-program', 'noStream', [event]);
    expect(await rehearse({})).to.deep.include({ days: 7, operations: 2 });
  });

  it('tells who would be over, and what would have been refused', async () => {
    const answer = await rehearse({
      rules: [{ name: 'few', limit: 60, subjects: ['size:all'] }],
      groups: [{ name: 'all', rules: ['few'], members: ['ALICE'] }],
    });
    const user = { id: alice().id, name: 'alice' };
    expect(answer).to.deep.include({ days: 7, operations: 2, over_total: 1, refused_total: 1 });
    expect(answer.over).to.deep.equal([
      { user, group: 'all', rule: 'few', subjects: ['size:all'], limit: 60, used: 80, over_by: 20 },
    ]);
    expect(answer.refused[0]).to.deep.include({
      user,
      subject: PUBLIC,
      size: 50,
      used: 30,
      group: 'all',
      rule: 'few',
      limit: 60,
    });
    expect(answer.refused[0]?.position).to.be.within(1, answer.position);
  });

  it('plays nothing again that was before the days that are asked for', async () => {
    const { connections, databaseUrl } = api();
    const stored = await connections.log.readStream(`storageLedger-${alice().id}`);
    expect(stored.map(({ type }) => type)).to.have.length(4);
    const since = stored[1]?.recordedAt ?? new Date();
    const searchPath = [...projections.map(schemaOf), 'public'];
    const db = new Database({ url: databaseUrl, applicationName: 'test', searchPath });
    const position = await connections.store.lastPosition();
    const proposal = {
      rules: [{ name: 'none', limit: 20n, subjects: ['size:all'] }],
      groups: [{ name: 'all', rules: ['none'], members: ['alice'] }],
    };
    const answer = await rehearseSince({ db, log: connections.log }, proposal, { position, since });
    await db.close();
    expect(answer).to.deep.include({ operations: 1, over_total: 1, refused_total: 1 });
    expect(answer.refused[0]).to.deep.include({ size: 50n, used: 30n });
  });

  it('changes nothing', async () => {
    const position = await api().connections.store.lastPosition();
    await rehearse({ rules: [{ name: 'few', limit: 0, subjects: ['size:all'] }], default_groups: [] });
    expect(await api().connections.store.lastPosition()).to.equal(position);
    expect((await api().admin.get('/admin/quota/rules')).json).to.deep.equal([]);
  });

  it('of nothing finds nothing', async () => {
    expect(await rehearse({})).to.deep.include({ operations: 2, over_total: 0, refused_total: 0 });
    expect(await rehearse({ rules: null, groups: null, default_groups: null, days: null })).to.deep.include({
      days: 7,
    });
  });

  it('goes by the groups that accounts are in, and by the defaults for others', async () => {
    const rules = [{ name: 'roomy', limit: 1_000, subjects: ['size:all'] }];
    await api().admin.post('/admin/quota/groups', { name: 'team', rules });
    await api().admin.put('/admin/quota/groups/team/users/alice');
    const few = { name: 'few', limit: 60, subjects: ['size:all'] };
    const strict = [{ name: 'strict', rules: ['few'] }];
    expect(await rehearse({ rules: [few], groups: strict, default_groups: ['strict'] })).to.deep.include({
      over_total: 0,
      refused_total: 0,
    });
    expect(await rehearse({ rules: [{ ...few, name: 'roomy' }] })).to.deep.include({
      over_total: 1,
      refused_total: 1,
    });
    await api().admin.delete('/admin/quota/groups/team/users/alice');
    expect(await rehearse({ rules: [few], groups: strict, default_groups: ['strict'] })).to.deep.include({
      over_total: 1,
      refused_total: 1,
    });
  });

  it('names the field in which the same is listed twice', async () => {
    const rule = { name: 'few', limit: 1, subjects: ['size:all', 'size:all'] };
    const group = { name: 'all', rules: ['few'], members: ['alice'] };
    for (const [field, body] of [
      ['Rules', { rules: [rule, { ...rule, limit: 2 }] }],
      ['Groups', { rules: [rule], groups: [group, { ...group, members: [] }] }],
      ['Rules', { rules: [rule], groups: [{ ...group, rules: ['few', 'few'] }] }],
      ['Members', { rules: [rule], groups: [{ ...group, members: ['alice', 'ALICE'] }] }],
      ['DefaultGroups', { rules: [rule], groups: [group], default_groups: ['all', 'all'] }],
    ] as const) {
      const { status, message } = await api().admin.post(PATH, body);
      expect([status, message.startsWith(`[${field}]: `)], JSON.stringify(body)).to.deep.equal([422, true]);
    }
    const { over } = await rehearse({ rules: [rule], groups: [group] });
    expect(over[0]).to.deep.include({ subjects: ['size:all'] });
  });

  it('is for administrators alone, of what there is, of so many days', async () => {
    expect((await api().anonymous.post(PATH, {})).status).to.equal(401);
    expect((await alice().post(PATH, {})).status).to.equal(403);
    for (const body of [
      { days: 0 },
      { days: 91 },
      { rules: [{ name: '', limit: 1, subjects: [] }] },
      { rules: [{ name: 'few', limit: 1.5, subjects: [] }] },
      { rules: [{ name: 'few', limit: 1, subjects: ['size'] }] },
      { groups: [{ name: 'all', rules: ['no such rule'] }] },
      { groups: [{ name: 'all', rules: [], members: ['nobody'] }] },
      { default_groups: ['no such group'] },
    ])
      expect((await api().admin.post(PATH, body)).status, JSON.stringify(body)).to.equal(422);
  });
});
