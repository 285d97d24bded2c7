import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { ReadModel } from '../../projections/engine/read-model.js';
import { ensureSchemas } from '../../projections/engine/schemas.js';
import { schemaOf } from '../../projections/projection.js';
import { quota } from '../../projections/quota/quota.js';
import { advance } from '../../projections/rebuild/advance.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { Database } from '../../src/database/database.js';
import { QuotaCatalogue } from '../../src/domain/quota/quota-catalogue.js';
import { upcasters } from '../../src/event-log/earlier-shapes.js';
import { eventTypes } from '../../src/event-log/event-types.js';
import { EventLog } from '../../src/event-log/event-log.js';
import type { Upcaster } from '../../src/event-log/upcasters.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { migrate } from '../../src/migrate/migrate.js';
import { NOW } from '../../src/queries/moment.js';
import { listQuotaRules } from '../../src/queries/quota/quota-rules.js';
import { silent } from '../projections/engine/silent.js';
import { TestPeople } from '../support/people.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';

/** What a release of before is made to have written: kibibytes, under another name. */
const inBytes: Upcaster = {
  from: { type: 'QuotaRuleCreated', version: 1 },
  to: { type: 'QuotaRuleCreated', version: 2 },
  lift: ({ kibibytes, ...data }) => ({ ...data, limit: String(Number(kibibytes) * 1024) }),
};

describe('an event of an old shape', () => {
  const at = '2026-01-02T03:04:05.000Z';
  let database: TestDatabase;
  let db: Database;

  before(async () => {
    database = await testDatabase();
    await migrate(database.url, ['projector']);
    db = new Database({
      url: database.url,
      applicationName: 'test',
      searchPath: [schemaOf(quota), 'public'],
    });
  });
  after(async () => {
    await db.close();
    await database.drop();
  });

  it('is lifted on its way to rules, new events and read models', async () => {
    const store = new MemoryEventStore();
    const people = new TestPeople();
    const then = new EventLog({ store, people });
    const data = { ruleId: 1, name: 'small', kibibytes: 2, subjects: ['size:all'], createdAt: at };
    const metadata = { $correlationId: randomUUID(), at };
    const event = { type: 'QuotaRuleCreated', data };
    await then.append('quotaCatalogue-main', 'noStream', [event], metadata, randomUUID());

    const types = { ...eventTypes, QuotaRuleCreated: { categories: ['quotaCatalogue'], version: 2 } };
    const log = new EventLog({ store, people, types, upcasters: [...upcasters, inBytes] });
    const commands = new CommandHandler({ log });
    const context = () => ({ commandId: randomUUID(), at });
    const edit = { type: 'EditQuotaRule', data: { name: 'small', subjects: ['size:git:lfs'], at } } as const;
    const { events } = await commands.handle(QuotaCatalogue, 'main', edit, context());
    expect(events[0]?.data).to.deep.include({
      limit: '2048',
      before: { limit: '2048', subjects: ['size:all'] },
    });
    const create = {
      type: 'CreateQuotaRule',
      data: { id: 2, name: 'new', limit: '1', subjects: ['size:all'], at },
    } as const;
    await commands.handle(QuotaCatalogue, 'main', create, context());

    await ensureSchemas(db, [quota]);
    const model = await ReadModel.open(db, quota, schemaOf(quota));
    const connection = { url: database.url, applicationName: 'test' };
    const signal = new AbortController().signal;
    await advance({ database: db, connection, source: log, log: silent, signal }, [model], 'head');
    expect(JSON.parse(await listQuotaRules(db, NOW))).to.deep.equal([
      { name: 'new', limit: 1, subjects: ['size:all'] },
      { name: 'small', limit: 2048, subjects: ['size:git:lfs'] },
    ]);
    const [first, , last] = await log.readStream('quotaCatalogue-main');
    expect([first, last].map((read) => read?.metadata.schemaVersion)).to.deep.equal([2, 2]);
  });
});
