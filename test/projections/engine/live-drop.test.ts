import { expect } from 'chai';
import { schemaOf } from '../../../projections/projection.js';
import { quota } from '../../../projections/quota/quota.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import { EventStoreDbEventStore } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.js';
import { createLogger } from '../../../src/logging/logger.js';
import { MIGRATIONS } from '../../../src/migrate/migration-files.js';
import { startEventStoreDbStub } from '../../support/eventstoredb-stub/stub.js';
import { TestPeople } from '../../support/people.js';
import { engineDatabase, reached, startProjector } from './support.js';

const STREAM = 'quotaCatalogue-main';
const at = '2026-01-01T00:00:00Z';
const metadata = { $correlationId: 'request 1', at };

/** So many rules that EventStoreDB drops a live reader for whom they wait. */
const RULES = 500;

const rule = (ruleId: number) => ({
  type: 'QuotaRuleCreated',
  data: { ruleId, name: `rule ${ruleId}`, limit: '1', subjects: ['size:all'], createdAt: at },
});

describe('a projector that EventStoreDB drops', () => {
  it('does not notice, whether by one append of 500 events or by a server that went away', async () => {
    const stub = await startEventStoreDbStub();
    const store = new EventStoreDbEventStore({
      url: stub.url,
      categories: ['quotaCatalogue'],
      backOff: { first: 5, most: 20 },
    });
    const log = new EventLog({ store, people: new TestPeople() });
    const engine = await engineDatabase([quota], MIGRATIONS);
    let said = '';
    const destination = { write: (line: string) => void (said += line) };
    const projector = startProjector(engine, log, [quota], {
      log: createLogger({ name: 'test', level: 'info', destination }),
    });
    const rows = async () => {
      const [row] = await engine.database.rows<{ count: number }>(
        `select count(*)::int as count from ${schemaOf(quota)}.quota_rules`,
      );
      return row?.count;
    };
    const shown = (position: bigint) => reached(engine.database, schemaOf(quota), position);
    const append = (from: number, count: number) => {
      const events = Array.from({ length: count }, (_, index) => rule(from + index));
      return log.append(STREAM, from === 1 ? 'noStream' : from - 2, events, metadata, `command ${from}`);
    };

    await shown((await append(1, 1)).position); // it is live
    await shown((await append(2, RULES)).position);
    expect(stub.traffic.calls.subscribe, 'it was dropped').to.be.greaterThan(1);
    await stub.kill();
    await stub.restart();
    await shown((await append(RULES + 2, 1)).position);
    expect(await rows()).to.equal(RULES + 2);
    expect(said).not.to.match(/"level":[456]0/);

    await projector.stop();
    await engine.drop();
    await store.close();
    await stub.stop();
  });
});
