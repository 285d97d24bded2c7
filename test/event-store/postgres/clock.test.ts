import { expect } from 'chai';
import pg from 'pg';
import { PostgresEventStore } from '../../../src/event-store/postgres/postgres-event-store.js';
import { readMigrations } from '../../../src/migrate/migration-files.js';
import { testDatabase, type TestDatabase } from '../../support/postgres.js';
import { newStream, sample } from '../contract/samples.js';

describe('PostgresEventStore, its clock', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let store: PostgresEventStore;

  beforeEach(async () => {
    database = await testDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    store = new PostgresEventStore({ url: database.url });
  });
  afterEach(async () => {
    await store.close();
    await admin.end();
    await database.drop();
  });

  const headTime = async () => {
    const { rows } = await admin.query<{ recorded_at: Date }>('select recorded_at from events.head');
    return rows[0]?.recorded_at;
  };

  it('is remembered with each append, so that the next cannot be recorded as earlier', async () => {
    for (const { text } of await readMigrations('events')) await admin.query(text);
    const stream = newStream();
    await store.append(stream, 'noStream', [sample()]);
    const [event] = await store.readStream(stream);
    expect(await headTime()).to.deep.equal(event?.recordedAt);
  });

  it('goes on from the latest event of a log whose head kept no time', async () => {
    const [tables, lookUp, ...later] = await readMigrations('events');
    for (const file of [tables, lookUp]) await admin.query(file?.text ?? '');
    await admin.query(`update events.head set recorded_at = '2100-01-01T00:00:00.123Z'`);
    await store.append(newStream(), 'noStream', [sample()]);
    await admin.query(`update events.head set recorded_at = '-infinity'`);
    await store.append(newStream(), 'noStream', [sample()]);
    for (const { text } of later) await admin.query(text);
    expect((await headTime())?.toISOString()).to.equal('2100-01-01T00:00:00.123Z');
  });
});
