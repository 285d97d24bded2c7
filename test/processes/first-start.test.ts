import { expect } from 'chai';
import { dataDir } from '../support/data-dir.js';
import { Site } from '../support/processes/site.js';

/** Lines of a small terminal. */
const SCREEN = 24;

describe('the first start', () => {
  let logged: string;
  let loggedByBoth: string;
  let metrics: string;
  before(async () => {
    const data = await dataDir();
    const site = new Site(data, { ADMIN_PASSWORD: undefined, LOG_LEVEL: 'info' });
    await site.start();
    metrics = await (await fetch(`${site.address}/metrics`)).text();
    await site.stop();
    logged = site.logged();
    await site.start();
    await site.stop();
    loggedByBoth = site.logged();
    await data.remove();
  });

  it('tells the password on the screen that says where it listens, and warns of nothing', () => {
    expect(logged).not.to.include('Warning');
    const lines = logged.split('\n');
    const told = lines.findIndex((line) => line.includes('(shown only this once)'));
    const ready = lines.findIndex((line) => line.startsWith('Tallyforge listens on '));
    expect(told).to.be.greaterThan(0);
    expect(ready - told).to.be.within(1, SCREEN - 2);
  });

  it('tells it once: the next start does not', () => {
    expect(loggedByBoth.match(/listens on/g)).to.have.length(2);
    expect(loggedByBoth.match(/shown only this once/g)).to.have.length(1);
  });

  it('serves metrics of the process too, such as the delay of its event loop', () => {
    expect(metrics).to.match(/^nodejs_eventloop_lag_p99_seconds \d/m);
  });
});
