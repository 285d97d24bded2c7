import { expect } from 'chai';
import { Database } from '../../src/database/database.js';
import { MIGRATIONS } from '../../src/migrate/migration-files.js';
import { migrate } from '../../src/migrate/migrate.js';
import { Deliveries } from '../../src/webhooks/deliveries.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';

const IDS = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

describe('deliveries that an earlier release left', () => {
  let database: TestDatabase;
  let db: Database;

  before(async () => {
    database = await testDatabase();
    await migrate(database.url, ['deliveries'], MIGRATIONS, (_, name) => name < '0002');
    db = new Database({ url: database.url, applicationName: 'test' });
    await db.rows(`
      insert into deliveries.deliveries (id, hook_id, event, event_type, payload) values
        ('${IDS[0]}', 1, 'push', 'push', '{"of": "both – öäü \\\\ "}'),
        ('${IDS[1]}', 2, 'push', 'push', '{"of": "both – öäü \\\\ "}'),
        ('${IDS[2]}', 2, 'push', 'push', '{"of": "one"}')`);
  });
  after(async () => {
    await db.close();
    await database.drop();
  });

  it('send what they would have sent, stored once where it is the same', async () => {
    await migrate(database.url, ['deliveries']);
    const deliveries = new Deliveries(db);
    const payloadOf = async (hookId: number, id = '') => (await deliveries.find(hookId, id))?.payload;
    expect(await payloadOf(1, IDS[0])).to.equal('{"of": "both – öäü \\\\ "}');
    expect(await payloadOf(2, IDS[1])).to.equal('{"of": "both – öäü \\\\ "}');
    expect(await payloadOf(2, IDS[2])).to.equal('{"of": "one"}');
    expect(await db.rows('select digest from deliveries.payloads')).to.have.length(2);
  });

  it('share their payloads with what is queued now', async () => {
    const deliveries = new Deliveries(db);
    const id = '00000000-0000-4000-8000-000000000004';
    const payload = '{"of": "both – öäü \\\\ "}';
    await deliveries.send({ hookId: 3, key: 'test', event: 'push', eventType: 'push', payload }, id);
    expect((await deliveries.find(3, id))?.payload).to.equal(payload);
    expect(await db.rows('select digest from deliveries.payloads')).to.have.length(2);
  });
});
