import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { connect } from '../../src/connections.js';
import { keepMarks } from '../../src/event-log/keep-marks.js';
import { createLogger } from '../../src/logging/logger.js';
import { readConfig } from '../../src/config.js';
import { sql } from '../../src/database/sql.js';
import { samples } from '../event-store/contract/samples.js';
import { startEventStoreDbStub } from '../support/eventstoredb-stub/stub.js';
import { preparedDatabase } from '../support/prepared-database.js';
import { until } from '../support/process.js';

describe('the times of a log in EventStoreDB', () => {
  it('are noted along the way, for every process that looks for one', async () => {
    const stub = await startEventStoreDbStub();
    const database = await preparedDatabase();
    const config = {
      ...readConfig({ DATA_DIR: '/nowhere', EVENTSTORE_URL: stub.url, DATABASE_URL: database.url }),
      databaseUrl: database.url,
      vaultKey: randomBytes(32),
    };
    const options = { applicationName: 'test', onError: () => undefined };
    const [one, other] = await Promise.all([connect(config, options), connect(config, options)]);
    const logged: string[] = [];
    const destination = { write: (line: string) => void logged.push(line) };
    const stop = new AbortController();
    let keeping: Promise<void> | undefined;
    const marks = () => one.db.rows<{ position: string }>(sql`select position::text from cache.marks`);
    try {
      let position = -1n;
      for (let round = 0; round < 10; round += 1)
        ({ position } = await one.store.append(`account-${round}`, 'noStream', samples(1_000)));
      const logger = createLogger({ name: 'test', level: 'info', destination });
      keeping = keepMarks(one.log, logger, stop.signal);
      await until(async () => (await marks()).length === 2); // 8,192 of 10,000 events
      const { read } = stub.traffic.calls;
      expect(await other.log.positionAt(new Date())).to.equal(position);
      expect(stub.traffic.calls.read - read).to.equal(1);
      expect(logged).to.deep.equal([]);
    } finally {
      stop.abort();
      await keeping;
      await Promise.all([one.close(), other.close()]);
      await database.drop();
      await stub.stop();
    }
  });
});
