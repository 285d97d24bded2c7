import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { v4 } from 'uuid';
import { findAccountAsOf } from '../../../src/audit/find-account.js';
import { CommandHandler } from '../../../src/commands/handle.js';
import { keepSettling, settleReservations } from '../../../src/commands/quota/settle-reservations.js';
import { Storage, type StorageOptions } from '../../../src/commands/quota/storage.js';
import { Database } from '../../../src/database/database.js';
import { sql } from '../../../src/database/sql.js';
import { quota } from '../../../projections/quota/quota.js';
import { schemaOf } from '../../../projections/projection.js';
import type { UsageSubject } from '../../../src/domain/quota/subjects.js';
import { listAccountsWithOverdueReservations } from '../../../src/queries/quota/overdue-reservations.js';
import { findQuotaStanding } from '../../../src/queries/quota/quota-standing.js';
import { startApi, type TestApi } from '../../support/api.js';
import { ahead } from '../../support/clock.js';
import { silent } from '../../projections/engine/silent.js';
import { fresh, JSON_TYPE, quotaApi } from './quota-api.js';

const nothing = {
  size: {
    repos: { public: 0, private: 0 },
    git: { LFS: 0 },
    assets: { attachments: { issues: 0, releases: 0 }, artifacts: 0, packages: { all: 0 } },
  },
};

const HOUR = 3_600_000;

const lfs = { objectId: '42', subject: 'size:git:lfs' } as const;
const context = () => ({ commandId: v4(), at: new Date().toISOString() });

/** Stores on behalf of accounts, as repositories do. */
const storageOf = ({ connections: { log } }: TestApi, options: Partial<StorageOptions> = {}) =>
  new Storage({ commands: new CommandHandler({ log }), limited: true, ...options });

async function use(api: TestApi, accountId: number, subject: UsageSubject, bytes: bigint): Promise<void> {
  const stored = { objectId: '42', subject, bytes };
  await storageOf(api).record(accountId, stored, context());
  await api.shown();
}

describe('the standing of an account', () => {
  const { api, alice } = quotaApi();
  const storage = (options?: Partial<StorageOptions>) => storageOf(api(), options);
  let db: Database;
  before(() => {
    const url = api().connections.databaseUrl;
    db = new Database({ url, applicationName: 'test-quota', searchPath: [schemaOf(quota)] });
  });
  after(() => db.close());
  const check = async (subject: string) => (await alice().get(`/user/quota/check?subject=${subject}`)).json;
  const limit = async (limit: number | bigint, ...subjects: string[]) => {
    const name = fresh('group');
    const body = `{"name":"${name}","rules":[{"name":"${name}","limit":${limit},"subjects":${JSON.stringify(subjects)}}]}`;
    expect((await api().admin.post('/admin/quota/groups', body, JSON_TYPE)).status).to.equal(201);
    expect((await api().admin.put(`/admin/quota/groups/${name}/users/alice`)).status).to.equal(204);
    return name;
  };
  afterEach(() => api().admin.post('/admin/users/alice/quota/groups', { groups: [] }));

  it('is nothing used and no group at first', async () => {
    expect((await alice().get('/user/quota')).json).to.deep.equal({ used: nothing, groups: [] });
    expect(await check('size:all')).to.equal(true);
  });

  it('is for the account itself without names, for administrators with them', async () => {
    const name = await limit(5, 'size:all');
    const rules = [{ limit: 5, subjects: ['size:all'] }];
    expect((await alice().get('/user/quota')).json).to.deep.equal({ used: nothing, groups: [{ rules }] });
    expect((await api().admin.get('/admin/users/Alice/quota')).json).to.deep.equal({
      used: nothing,
      groups: [{ name, rules: [{ name, limit: 5, subjects: ['size:all'] }] }],
    });
  });

  it('is for administrators alone where it is of somebody else', async () => {
    expect((await alice().get('/admin/users/alice/quota')).status).to.equal(403);
    expect((await api().anonymous.get('/admin/users/alice/quota')).status).to.equal(401);
    expect((await api().admin.get('/admin/users/nobody/quota')).status).to.equal(404);
    expect((await api().anonymous.get('/user/quota')).status).to.equal(401);
    expect((await api().anonymous.get('/user/quota/check?subject=size:all')).status).to.equal(401);
  });

  for (const query of ['', '?subject=', '?subject=size:nothing', '?subject=SIZE:ALL']) {
    it(`is not checked for ${query || 'no subject'}`, async () => {
      expect((await alice().get(`/user/quota/check${query}`)).status).to.equal(422);
    });
  }

  it('lets one group that allows outweigh those that refuse', async () => {
    await limit(0, 'size:all');
    expect(await check('size:repos:public')).to.equal(false);
    await limit(-1, 'size:all');
    expect(await check('size:repos:public')).to.equal(true);
  });

  it('leaves what no rule covers alone', async () => {
    await limit(0, 'size:git:lfs');
    expect([
      await check('size:git:lfs'),
      await check('size:repos:public'),
      await check('size:all'),
    ]).to.deep.equal([false, true, true]);
  });

  it('counts what is used, exactly, and refuses at the limit', async () => {
    const beyondDoubles = 9007199254740993n;
    await use(api(), alice().id, 'size:repos:private', beyondDoubles);
    const { used } = (await alice().get('/user/quota')).json as { used: typeof nothing };
    expect(used.size.repos).to.deep.equal({ public: 0, private: beyondDoubles });
    await limit(beyondDoubles, 'size:repos:private');
    expect(await check('size:repos:private')).to.equal(false);
    await limit(beyondDoubles + 1n, 'size:repos:all');
    expect(await check('size:repos:private')).to.equal(true);
    await use(api(), alice().id, 'size:repos:private', 0n);
  });

  it('counts what is reserved for whoever wants more, and shows what is stored', async () => {
    await limit(10, 'size:git:lfs');
    const reservation = await storage().reserve(alice().id, { ...lfs, bytes: 10n }, context());
    await api().shown();
    expect(await check('size:git:lfs')).to.equal(false);
    expect((await alice().get('/user/quota')).json).to.deep.include({ used: nothing });
    await storage().release(reservation, context());
    await api().shown();
    expect(await check('size:git:lfs')).to.equal(true);
  });

  it('counts what was reserved by a writer that crashed until its lease runs out', async () => {
    await limit(10, 'size:git:lfs');
    const { position } = await storage({ leaseMs: 0 }).reserve(alice().id, { ...lfs, bytes: 10n }, context());
    await api().shown();
    expect(await check('size:git:lfs')).to.equal(true);
    const then = `/user/quota/check?subject=size:git:lfs&as_of=${position}`;
    expect((await alice().get(then)).json).to.equal(false);
    await settleReservations({ db, storage: storage() });
    await api().shown();
    expect(await settleReservations({ db, storage: storage() })).to.equal(0);
  });

  it('counts nothing that was reserved by a writer whose clock was ahead when it crashed, and settles it', async () => {
    await limit(10, 'size:git:lfs');
    await storage({ leaseMs: HOUR + 60_000 }).reserve(alice().id, { ...lfs, bytes: 10n }, context());
    await api().shown();
    expect(await check('size:git:lfs')).to.equal(true);
    expect(await settleReservations({ db, storage: storage() })).to.equal(1);
    await api().shown();
    expect(await settleReservations({ db, storage: storage() })).to.equal(0);
  });

  it('keeps settling what writers that crash leave', async () => {
    const stop = new AbortController();
    const settling = keepSettling({ db, storage: storage(), logger: silent }, stop.signal, 10);
    for (let crash = 1; crash <= 2; crash++) {
      await storage({ leaseMs: 0 }).reserve(alice().id, { ...lfs, bytes: 1n }, context());
      await api().shown();
      while ((await listAccountsWithOverdueReservations(db, new Date())).length > 0) await sleep(10);
    }
    stop.abort();
    await settling;
  });

  it('counts what was reserved at a moment, whatever the digits of its position', async () => {
    const [accountId, bytes] = [999_999_999, 10n];
    await db.rows(sql`
      insert into quota_reservations
        (account_id, reservation_id, object_id, subject, bytes, expires_at, valid_from, valid_until)
      values (${accountId}, ${v4()}, '42', 'size:git:lfs', ${bytes}, 'epoch', 1, 100)`);
    for (const at of [10n, 95n]) {
      const { reserved } = await findQuotaStanding(db, accountId, at);
      expect(reserved, String(at)).to.deep.equal({ 'size:git:lfs': bytes });
    }
    expect((await findQuotaStanding(db, accountId, 95n, true)).reserved).to.deep.equal({});
    await db.rows(sql`delete from quota_reservations where account_id = ${accountId}`);
  });

  it('counts what is reserved by the clock that leases are given by, whatever that of the database', async () => {
    await limit(10, 'size:git:lfs');
    await ahead(-2 * HOUR, async () => {
      const reservation = await storage().reserve(alice().id, { ...lfs, bytes: 10n }, context());
      await api().shown();
      expect(await check('size:git:lfs')).to.equal(false);
      await storage().release(reservation, context());
    });
    await api().shown();
    expect(await check('size:git:lfs')).to.equal(true);
  });

  it('follows an object through its life', async () => {
    const id = alice().id;
    const stored = async () => {
      await api().shown();
      return ((await alice().get('/user/quota')).json as { used: typeof nothing }).used.size.repos;
    };
    const object = { objectId: '77', subject: 'size:repos:public', bytes: 7n } as const;
    const reservation = await storage().reserve(id, object, context());
    await storage().settle(await storage().renew(reservation, context(), 8n), 8n, context());
    expect(await stored()).to.deep.equal({ public: 8, private: 0 });
    await storage().record(id, { ...object, bytes: 5n }, context());
    expect(await stored()).to.deep.equal({ public: 5, private: 0 });
    const growing = await storage().reserve(id, object, context());
    const subjects = { from: 'size:repos:public', to: 'size:repos:private' } as const;
    await storage().move(id, '77', () => Promise.resolve(subjects), context());
    expect(await stored()).to.deep.equal({ public: 0, private: 5 });
    await storage().settle(growing, 9n, context());
    expect(await stored()).to.deep.equal({ public: 0, private: 9 });
    await storage().forget(id, '77', context());
    expect(await stored()).to.deep.equal({ public: 0, private: 0 });
  });

  it('of a moment is found by the name of then and by the name of now', async () => {
    const { admin } = api();
    const { log, vault } = api().connections;
    const [before, after] = ['called-so-then', 'called-so-now'];
    const { id } = await api().createUser(before);
    const group = fresh('group');
    await admin.post('/admin/quota/groups', { name: group });
    await admin.put(`/admin/quota/groups/${group}/users/${before}`);
    const then = String(await log.lastPosition());
    await admin.post(`/admin/users/${before}/rename`, { new_username: after });
    await admin.post(`/admin/users/${after}/quota/groups`, { groups: [] });
    for (const name of [before, after]) {
      const { status, json } = await admin.get(`/admin/users/${name}/quota?as_of=${then}`);
      expect([status, json], name).to.deep.equal([
        200,
        { used: nothing, groups: [{ name: group, rules: [] }] },
      ]);
      expect(await findAccountAsOf(log, vault, name, BigInt(then)), name).to.equal(id);
    }
    expect((await admin.get(`/admin/users/${after}/quota?as_of=0`)).status).to.equal(404);
    expect(await findAccountAsOf(log, vault, after, 0n)).to.equal(undefined);
  });

  for (const kind of ['attachments', 'packages', 'artifacts'])
    it(`lists ${kind}: none, because none can be stored`, async () => {
      const { status, json, headers } = await alice().get(`/user/quota/${kind}?page=2&limit=5`);
      expect([status, json, headers.get('x-total-count')]).to.deep.equal([200, [], '0']);
      expect((await api().anonymous.get(`/user/quota/${kind}`)).status).to.equal(401);
      expect((await alice().get(`/user/quota/${kind}?as_of=yesterday`)).status).to.equal(422);
    });

  it('falls back to the configured default groups that exist, then to the default total', async () => {
    const name = fresh('default');
    const quota = { enabled: true, defaultTotal: 0n, defaultGroups: [name, 'there is none'] };
    const configured = await startApi({ config: { quota } });
    try {
      const bob = await configured.createUser('bob');
      const check = async () => (await bob.get('/user/quota/check?subject=size:repos:public')).json;
      expect([await check(), (await bob.get('/user/quota')).json]).to.deep.equal([
        false,
        { used: nothing, groups: [] },
      ]);
      await configured.admin.post('/admin/quota/groups', {
        name,
        rules: [{ name, limit: 9, subjects: ['size:all'] }],
      });
      expect([await check(), (await bob.get('/user/quota')).json]).to.deep.equal([
        true,
        { used: nothing, groups: [{ rules: [{ limit: 9, subjects: ['size:all'] }] }] },
      ]);
      expect((await configured.admin.get(`/admin/quota/groups/${name}/users`)).json).to.deep.equal([]);
      const explained = await configured.admin.get('/admin/users/bob/quota/explain?subject=size:all');
      const [group] = (explained.json as { groups: { created: object; joined: object }[] }).groups;
      expect(group).to.deep.include({ name, via: 'default', joined: group?.created });
      expect(configured.logged()).to.include('there is none');
    } finally {
      await configured.stop();
    }
  });

  it('is not served where quotas are switched off', async () => {
    const without = await startApi({
      config: { quota: { enabled: false, defaultTotal: -1n, defaultGroups: [] } },
    });
    try {
      expect((await without.admin.get('/admin/quota/groups')).status).to.equal(404);
      expect((await without.admin.get('/user/quota')).status).to.equal(404);
    } finally {
      await without.stop();
    }
  });
});
