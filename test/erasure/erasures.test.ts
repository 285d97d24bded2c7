import { expect } from 'chai';
import { runErasures, type ErasuresOptions } from '../../src/erasure/erasures.js';
import { migrate } from '../../src/migrate/migrate.js';
import { silent } from '../projections/engine/silent.js';
import { TestLog } from '../projections/engine/test-log.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/process.js';

describe('orders to erase a person', () => {
  let scratch: TestDatabase;

  beforeEach(async () => {
    scratch = await testDatabase();
    await migrate(scratch.url, ['projector', 'erasures']);
  });
  afterEach(() => scratch.drop());

  /** Has orders carried out until `isDone`. */
  async function carryOut(
    options: Pick<ErasuresOptions, 'log'> & { readonly leftovers?: object; readonly services?: object },
    isDone: () => boolean,
  ): Promise<void> {
    const stop = new AbortController();
    const database = { url: scratch.url, applicationName: 'test' };
    const all = { leftovers: {}, services: {}, ...options, database, logger: silent };
    const running = runErasures(all as ErasuresOptions, stop.signal);
    try {
      await until(isDone);
    } finally {
      stop.abort();
      await running;
    }
  }

  it('are carried out, except one that cannot be read and thus names nobody', async () => {
    const log = new TestLog();
    log.appendUnreadable('PersonErased');
    log.append({ type: 'PersonErased', data: { accountId: 7, erasedAt: '2026-01-01T00:00:00Z' } });
    const removed: number[] = [];
    const leftovers = {
      passed: () => Promise.resolve(),
      remove: (accountId: number) => Promise.resolve(void removed.push(accountId)),
    };
    await carryOut({ log, leftovers }, () => removed.includes(7));
    expect(removed).to.deep.equal([7]);
  });

  it('are carried out in the name of whoever gave them', async () => {
    const log = new TestLog();
    log.append({ type: 'AccountDeleted', data: { accountId: 7, erase: true } });
    const [given] = log.events.splice(0);
    if (given) log.events.push({ ...given, metadata: { ...given.metadata, actor: { id: 1, name: 'root' } } });
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
    await carryOut({ log, services }, () => erased.length > 0);
    expect(erased[0]).to.deep.include({ actor: { id: 1, name: 'root' } });
  });
});
