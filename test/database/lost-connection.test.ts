import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Database, type Queryable } from '../../src/database/database.js';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';
import { sql } from '../../src/database/sql.js';
import { testDatabase } from '../support/postgres.js';
import { rejection } from '../support/rejection.js';

describe('a connection of one’s own', () => {
  let scratch: Awaited<ReturnType<typeof testDatabase>>;
  let db: Database;

  before(async () => {
    scratch = await testDatabase();
    db = new Database({ url: scratch.url, applicationName: 'test' });
  });
  after(async () => {
    await db.close();
    await scratch.drop();
  });

  it('is unavailable when it is lost, whoever ends it, and there is another afterwards', async () => {
    const cut = db.transaction(async (connection) => {
      const [own] = await connection.rows<{ pid: number }>('select pg_backend_pid() as pid');
      await db.rows(sql`select pg_terminate_backend(${own?.pid ?? 0})`);
      await connection.rows('select 1');
    });
    expect(await rejection(cut)).to.be.instanceOf(DatabaseUnavailable);
    const broken = db.exclusive(async (connection, client) => {
      (
        client as unknown as { connection: { stream: { destroy(error: Error): void } } }
      ).connection.stream.destroy(new Error('write EPIPE'));
      await connection.rows('select 1');
    });
    expect(await rejection(broken)).to.be.instanceOf(DatabaseUnavailable);
    expect(await db.transaction((connection) => connection.rows('select 1 as one'))).to.deep.equal([
      { one: 1 },
    ]);
  });

  it('is lent to nobody once the server has said that it ends', async () => {
    const one = new Database({ url: scratch.url, applicationName: 'test', maxConnections: 1 });
    const cut = one.exclusive((connection) =>
      connection.rows('select pg_terminate_backend(pg_backend_pid())'),
    );
    const next = one.exclusive((connection) => connection.rows('select 1 as one'));
    expect(await rejection(cut)).to.be.instanceOf(DatabaseUnavailable);
    expect(await next).to.deep.equal([{ one: 1 }]);
    await one.close();
  });

  it('leaves what is wrong with a statement as it is', async () => {
    const wrong = db.transaction((connection) => connection.rows('select nonsense'));
    expect(await rejection(wrong)).to.include({ code: '42703' });
  });

  it('is unavailable where there is no server', async () => {
    const nowhere = new Database({ url: 'postgresql://nobody@/?host=/nonexistent', applicationName: 'test' });
    const nothing = nowhere.transaction(() => Promise.resolve());
    expect(await rejection(nothing)).to.be.instanceOf(DatabaseUnavailable);
    await nowhere.close();
  });

  it('is unavailable where its time is over just as it is admitted', async () => {
    const admit = async (_: Queryable, signal: AbortSignal) => {
      await once(signal, 'abort');
    };
    const late = new Database({ url: scratch.url, applicationName: 'test', patienceMs: 50, admit });
    expect(await rejection(late.rows('select 1'))).to.be.instanceOf(DatabaseUnavailable);
    await late.close();
  });

  it('can be given up while it connects', async () => {
    const silent = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `postgresql://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/none`;
    const database = new Database({ url, applicationName: 'test', patienceMs: 3_600_000 });
    const asked = rejection(database.rows('select 1'));
    await once(silent, 'connection');
    await database.close();
    expect(await asked).to.be.instanceOf(DatabaseUnavailable);
    silent.close();
  });
});
