import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { PositionNotInLog } from '../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { lagsOf } from '../../src/http/system/lags.js';
import { readinessOf, type ReadinessSources } from '../../src/http/system/readiness.js';

const well: ReadinessSources = {
  pingLog: () => Promise.resolve(),
  pingDatabase: () => Promise.resolve(),
  lags: () => Promise.resolve([{ projection: 'accounts', events: 0, seconds: 0 }]),
};
const report = (sources: Partial<ReadinessSources>) => readinessOf({ ...well, ...sources })();

describe('readiness', () => {
  it('needs every part', async () => {
    expect((await report({})).ready).to.equal(true);
  });

  it('names the part that does not answer, without the driver’s words', async () => {
    const failing = () =>
      Promise.reject(Object.assign(new Error('secret.example.org'), { code: 'ECONNREFUSED' }));
    const { ready, log, database } = await report({ pingLog: failing });
    expect({ ready, log, database }).to.deep.equal({
      ready: false,
      log: { ready: false, error: 'ECONNREFUSED' },
      database: { ready: true },
    });
    expect((await report({ pingDatabase: failing })).database.ready).to.equal(false);
    const late = () => Promise.reject(new DOMException('no answer', 'TimeoutError'));
    expect((await report({ pingLog: late })).log).to.deep.equal({ ready: false, error: 'TimeoutError' });
    expect((await report({ lags: failing })).ready).to.equal(false);
  });

  it('takes no part for ready that leaves it without an answer', async () => {
    const silent = () => new Promise<never>(() => undefined);
    const { ready, log, database, projections } = await report({
      pingLog: silent,
      pingDatabase: silent,
      lags: silent,
    });
    const late = { ready: false, error: 'TimeoutError' };
    expect({ ready, log, database, projections }).to.deep.equal({
      ready: false,
      log: late,
      database: late,
      projections: {},
    });
  });

  it('says that the log has lost what read models show, as after an older one was put back', async () => {
    const store = new MemoryEventStore();
    const { position } = await store.append('a-1', 'noStream', [
      { id: randomUUID(), type: 'Happened', data: {}, metadata: {} },
    ]);
    const at = (shown: bigint) => () =>
      lagsOf(store, { lag: () => [{ projection: 'quota', position: shown, behind: 0n }] });
    expect((await report({ lags: at(position) })).ready).to.equal(true);
    const { ready, log } = await report({ lags: at(position + 1n) });
    expect({ ready, log }).to.deep.equal({
      ready: false,
      log: { ready: false, error: PositionNotInLog.name },
    });
  });

  it('tolerates a little lag, not much, and no projection that stopped', async () => {
    const lag = (fields: object) => () =>
      Promise.resolve([{ projection: 'quota', events: 5, seconds: 1, ...fields }]);
    expect((await report({ lags: lag({}) })).ready).to.equal(true);
    expect((await report({ lags: lag({ seconds: 60 }) })).ready).to.equal(false);
    const stopped = await report({ lags: lag({ stoppedAt: { stream: 's-1', revision: 2, position: 7n } }) });
    expect(stopped.ready).to.equal(false);
    expect(stopped.projections.quota).to.deep.equal({
      ready: false,
      lagEvents: 5,
      lagSeconds: 1,
      stoppedAt: { stream: 's-1', revision: 2, position: '7' },
    });
  });
});
