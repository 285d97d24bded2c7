import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { connectTo } from '../../src/database/client.js';
import { Database } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/queryable.js';
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

  it('is unavailable where the server ends it in the very moment that it lets us in', async () => {
    const ending = createServer((socket) => {
      socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, SHUTTING_DOWN])));
      socket.on('error', () => undefined);
    });
    const url = await listening(ending);
    const database = new Database({ url, applicationName: 'test' });
    const asked = database.transaction((connection) => connection.rows('select 1'));
    expect(await rejection(asked)).to.be.instanceOf(DatabaseUnavailable);
    expect(await rejection(database.rows('select 1'))).to.be.instanceOf(DatabaseUnavailable);
    await database.close();
    ending.close();
  });

  for (const [why, statements] of [
    ['as somebody told it', ['select pg_terminate_backend(pg_backend_pid())']],
    ['as a limit of time is over', [`set transaction_timeout = '10ms'`, 'select pg_sleep(60)']],
  ] as const)
    it(`is lent to nobody once the server has said that it ends, ${why}`, async () => {
      const one = new Database({ url: scratch.url, applicationName: 'test', maxConnections: 1 });
      const cut = one.exclusive(async (connection) => {
        for (const statement of statements) await connection.rows(statement);
      });
      const next = one.exclusive((connection) => connection.rows('select 1 as one'));
      expect(await rejection(cut)).to.be.instanceOf(DatabaseUnavailable);
      expect(await next).to.deep.equal([{ one: 1 }]);
      await one.close();
    });

  it('leaves nothing behind where it is ended after it was lost', async () => {
    const client = await connectTo(scratch.url, 'test');
    const lost = new Promise<void>((resolve) => client.once('end', resolve));
    await rejection(client.query('select pg_terminate_backend(pg_backend_pid())'));
    await lost;
    await client.end();
    expect(client.listenerCount('end')).to.equal(0);
  });

  it('that many share is unavailable when it is lost, and there is another afterwards', async () => {
    const cut = db.rows('select pg_terminate_backend(pg_backend_pid())');
    expect(await rejection(cut)).to.be.instanceOf(DatabaseUnavailable);
    expect(await db.rows('select 1 as one')).to.deep.equal([{ one: 1 }]);
  });

  it('keeps nothing of a transaction whose work fails', async () => {
    await db.rows('create table kept (one int)');
    const failing = db.transaction(async (connection) => {
      await connection.rows('insert into kept values (1)');
      throw new Error('no');
    });
    expect(await rejection(failing)).to.have.property('message', 'no');
    expect(await db.transaction((connection) => connection.rows('table kept'))).to.deep.equal([]);
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

  it('is not admitted any more once it is given up', async () => {
    const late = createServer((socket) => {
      socket.once('data', () => {
        late.emit('asked');
        socket.once('data', () => socket.write(Buffer.concat([AUTHENTICATED, READY])));
      });
      socket.on('error', () => undefined);
    });
    const url = await listening(late);
    const admitted: boolean[] = [];
    const admit = (_: Queryable, { aborted }: AbortSignal) => Promise.resolve(void admitted.push(aborted));
    const database = new Database({ url, applicationName: 'test', patienceMs: 3_600_000, admit });
    const asked = rejection(database.rows('select 1'));
    await once(late, 'asked');
    await database.close();
    expect(await asked).to.be.instanceOf(DatabaseUnavailable);
    expect(admitted).to.deep.equal([]);
    late.close();
  });

  it('can be given up while it connects', async () => {
    const silent = createServer((socket) => socket.resume());
    const url = await listening(silent);
    const database = new Database({ url, applicationName: 'test', patienceMs: 3_600_000 });
    const asked = rejection(database.rows('select 1'));
    await once(silent, 'connection');
    await database.close();
    expect(await asked).to.be.instanceOf(DatabaseUnavailable);
    silent.close();
  });
});

/** Has a server listen, and gives the URL by which it passes for a PostgreSQL. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `postgresql://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
}

/** A message of PostgreSQL's protocol: its type, its length, what it says. */
function message(type: string, said: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(said.length + 4, 1);
  return Buffer.concat([head, said]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const SHUTTING_DOWN = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));
