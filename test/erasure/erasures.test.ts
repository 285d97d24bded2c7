import { expect } from 'chai';
import { runErasures } from '../../src/erasure/erasures.js';
import { migrate } from '../../src/migrate/migrate.js';
import { silent } from '../projections/engine/silent.js';
import { TestLog } from '../projections/engine/test-log.js';
import { testDatabase } from '../support/postgres.js';
import { until } from '../support/process.js';

describe('orders to erase a person', () => {
  it('are carried out, except one that cannot be read and thus names nobody', async () => {
    const scratch = await testDatabase();
    const stop = new AbortController();
    try {
      await migrate(scratch.url, ['projector', 'erasures']);
      const log = new TestLog();
      log.appendUnreadable('PersonErased');
      log.append({ type: 'PersonErased', data: { accountId: 7, erasedAt: '2026-01-01T00:00:00Z' } });
      const removed: number[] = [];
      const leftovers = {
        passed: () => Promise.resolve(),
        remove: (accountId: number) => Promise.resolve(void removed.push(accountId)),
      };
      const database = { url: scratch.url, applicationName: 'test' };
      const running = runErasures(
        { database, log, logger: silent, leftovers, services: {} as never },
        stop.signal,
      );
      await until(() => removed.includes(7));
      stop.abort();
      await running;
      expect(removed).to.deep.equal([7]);
    } finally {
      stop.abort();
      await scratch.drop();
    }
  });

  it('are carried out in the name of whoever gave them', async () => {
    const scratch = await testDatabase();
    const stop = new AbortController();
    try {
      await migrate(scratch.url, ['projector', 'erasures']);
      const log = new TestLog();
      log.append({ type: 'AccountDeleted', data: { accountId: 7, erase: true } });
      const [given] = log.events.splice(0);
      if (given)
        log.events.push({ ...given, metadata: { ...given.metadata, actor: { id: 1, name: 'root' } } });
      const erased: unknown[] = [];
      const nothing = () => Promise.resolve();
      const services = {
        vault: {
          credentials: { remove: nothing },
          tokens: { removeAll: nothing },
          people: { shred: nothing },
        },
        commands: {
          handle: (...command: readonly unknown[]) => Promise.resolve(void erased.push(command[3])),
        },
      };
      const database = { url: scratch.url, applicationName: 'test' };
      const running = runErasures(
        { database, log, logger: silent, leftovers: {} as never, services: services as never },
        stop.signal,
      );
      await until(() => erased.length > 0);
      stop.abort();
      await running;
      expect(erased[0]).to.deep.include({ actor: { id: 1, name: 'root' } });
    } finally {
      stop.abort();
      await scratch.drop();
    }
  });
});
