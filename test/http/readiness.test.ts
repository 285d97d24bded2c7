import { expect } from 'chai';
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
