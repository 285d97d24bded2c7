import { expect } from 'chai';
import { PostgresEventStore } from '../../../src/event-store/postgres/postgres-event-store.js';
import { readMigrations } from '../../../src/migrate/migration-files.js';
import { newStream, sample } from '../contract/samples.js';
import { testLog, type TestLog } from './log.js';

/** How many migrations a log had whose head kept no time. */
const EARLIER = 2;

describe('PostgresEventStore, its clock', () => {
  let log: TestLog;
  let store: PostgresEventStore;

  const open = async (migrations?: number) => {
    log = await testLog(migrations);
    store = new PostgresEventStore({ url: log.url });
  };
  afterEach(async () => {
    await store.close();
    await log.drop();
  });

  const headTime = async () => {
    const { rows } = await log.admin.query<{ recorded_at: Date }>('select recorded_at from events.head');
    return rows[0]?.recorded_at;
  };

  it('is remembered with each append, so that the next cannot be recorded as earlier', async () => {
    await open();
    const stream = newStream();
    await store.append(stream, 'noStream', [sample()]);
    const [event] = await store.readStream(stream);
    expect(await headTime()).to.deep.equal(event?.recordedAt);
  });

  it('goes on from the latest event of a log whose head kept no time', async () => {
    await open(EARLIER);
    await log.admin.query(`update events.head set recorded_at = '2100-01-01T00:00:00.123Z'`);
    await store.append(newStream(), 'noStream', [sample()]);
    await log.admin.query(`update events.head set recorded_at = '-infinity'`);
    await store.append(newStream(), 'noStream', [sample()]);
    for (const { text } of (await readMigrations('events')).slice(EARLIER)) await log.admin.query(text);
    expect((await headTime())?.toISOString()).to.equal('2100-01-01T00:00:00.123Z');
  });
});
