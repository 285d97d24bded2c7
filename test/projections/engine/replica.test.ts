import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../../src/database/unavailable.js';
import { identityOf } from '../../../src/read-your-writes/database-identity.js';
import { Replica } from '../../../src/read-your-writes/replica.js';
import { closed } from '../../support/closed.js';
import { rejection } from '../../support/rejection.js';
import { silentProxy } from '../../support/silent-proxy.js';
import { waitingForLocks } from '../../support/waiting-for-locks.js';
import { people } from './people.js';
import { engineDatabase, eventually, type EngineDatabase } from './support.js';

const APPLICATION = 'replica-reads';
const NOT_ASKED = new Error('it was late already');

describe('a replica of the read models', () => {
  let engine: EngineDatabase;

  beforeEach(async () => {
    engine = await engineDatabase([people]);
    await stands(10);
    errors = [];
  });
  afterEach(() => engine.drop());

  let errors: unknown[] = [];
  const primary = { connected: true, shown: () => new Map([['people', 10n]]) };
  const replicaAt = (url: string) =>
    new Replica({
      url,
      applicationName: APPLICATION,
      schemas: { people: 'people_v1' },
      primary,
      identity: () => identityOf(engine.database),
      onError: (error) => errors.push(error),
    });

  /** What the server behind it shows from now on, as another one does that is behind, or was set back by a crash. */
  const stands = (position: number) =>
    engine.database.rows(`update people_v1.checkpoint set position = ${position}`);
  const cut = () =>
    engine.database.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${APPLICATION}'`,
    );
  const isBeingAdmitted = async () => (await waitingForLocks(engine.database, APPLICATION)) > 0;

  it('is not read for what another server showed, while it is still asked what it shows itself', async () => {
    const replica = replicaAt(engine.options.url);
    replica.start();
    for (let isAsked = false; !isAsked;) {
      await stands(10);
      await eventually(() => replica.serves);
      const before = await replica.reader();
      let read: Promise<unknown> | undefined;
      await engine.database.transaction(async (connection) => {
        await connection.rows('lock table projector.status'); // which is read behind the checkpoints
        await stands(5);
        await cut();
        const lost = rejection(before?.rows('select') ?? Promise.reject(NOT_ASKED));
        await eventually(isBeingAdmitted);
        read = rejection((await replica.reader())?.rows('select') ?? Promise.reject(NOT_ASKED));
        lost.catch(() => undefined);
      });
      const error = await read;
      isAsked = error !== NOT_ASKED;
      if (isAsked) expect(error).to.be.instanceOf(DatabaseUnavailable);
    }
    await replica.close();
  });

  it('is not read, and said to be none, where it is that of another database', async () => {
    const other = await engineDatabase([people]);
    await other.database.rows('update people_v1.checkpoint set position = 20');
    const replica = replicaAt(other.options.url);
    replica.start();
    try {
      await eventually(() => errors.length > 0);
      expect(await replica.reader()).to.equal(undefined);
      expect(replica.serves).to.equal(false);
      expect(errors.map((error) => (error as Error).message)).to.deep.equal([
        'DATABASE_REPLICA_URL names no replica of the database in DATABASE_URL',
      ]);
    } finally {
      await replica.close();
      await other.drop();
    }
  });

  it('is said once to be out of reach, though it never was in reach', async () => {
    const replica = replicaAt(engine.options.url.replace('@/', '@/absent_'));
    replica.start();
    try {
      await eventually(() => errors.length > 0);
      for (let times = 0; times < 3; times += 1) await replica.reader();
      expect(errors.map((error) => (error as Error).message)).to.have.lengthOf(1);
    } finally {
      await replica.close();
    }
  });

  it('is not read while nobody tells what the primary shows', async () => {
    const replica = replicaAt(engine.options.url);
    replica.start();
    try {
      await eventually(async () => (await replica.reader()) !== undefined);
      primary.connected = false;
      expect(await replica.reader()).to.equal(undefined);
    } finally {
      primary.connected = true;
      await replica.close();
    }
  });

  it('is read again over another connection where the one before fell silent', async () => {
    const proxy = await silentProxy(engine.options.url);
    const replica = replicaAt(proxy.url);
    try {
      replica.start();
      await eventually(() => replica.serves);
      proxy.silence();
      await eventually(() => !replica.serves);
      await eventually(() => replica.serves);
    } finally {
      await replica.close();
      await proxy.close();
    }
  });

  it('is not read for what a connection showed that ended while it was asked', async () => {
    const proxy = await holdingProxy(engine.options.url);
    const replica = replicaAt(proxy.url);
    try {
      replica.start();
      await eventually(() => replica.serves);
      await proxy.holdAnswerTo('"people_v1".checkpoint');
      await stands(5);
      await cut();
      await proxy.release();
      await eventually(() => proxy.connections > 1);
      for (let looks = 0; looks < 50; looks += 1) {
        const reader = await replica.reader();
        if (reader) expect(await rejection(reader.rows('select'))).to.be.instanceOf(DatabaseUnavailable);
        await sleep(5);
      }
    } finally {
      await replica.close();
      proxy.close();
    }
  });
});

/** Stands before the database of a URL as `testDatabase` has it, and can hold back what the server answers. */
async function holdingProxy(url: string) {
  const [, database = '', folder = ''] = /@\/([^?]+)\?host=(.+)$/.exec(url) ?? [];
  let connections = 0;
  let awaited: { readonly text: string; readonly met: () => void } | undefined;
  let held: { readonly near: Socket; readonly answers: Buffer[]; readonly closed: Promise<void> } | undefined;
  const server = createServer((near) => {
    connections += 1;
    const far = connect(`${folder}/.s.PGSQL.5432`);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far);
    near.on('data', (asked) => {
      if (!awaited || !asked.includes(awaited.text)) return;
      held = { near, answers: [], closed: closed(far) };
      awaited.met();
      awaited = undefined;
    });
    far.on('data', (answer) => {
      if (held?.near === near) held.answers.push(answer);
      else near.write(answer);
    });
    far.on('close', () => held?.near === near || near.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgresql://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    get connections() {
      return connections;
    },
    /** Holds back everything on the connection on which this is asked next; resolves when it is. */
    holdAnswerTo: (text: string) =>
      new Promise<void>((met) => {
        awaited = { text, met };
      }),
    /** Once the server has closed that connection: all that it said arrives in one piece. */
    async release() {
      await held?.closed;
      held?.near.end(Buffer.concat(held.answers));
    },
    close: () => server.close(),
  };
}
