import { expect } from 'chai';
import { dataDir } from '../support/data-dir.js';
import { Site } from '../support/processes/site.js';

/** Lines of a small terminal. */
const SCREEN = 24;

describe('the first start', () => {
  it('tells the password on the screen that says where it listens, and warns of nothing', async () => {
    const data = await dataDir();
    const site = new Site(data, { ADMIN_PASSWORD: undefined, LOG_LEVEL: 'info' });
    await site.start();
    await site.stop();
    await data.remove();
    expect(site.logged()).not.to.include('Warning');
    const lines = site.logged().split('\n');
    const told = lines.findIndex((line) => line.includes('(shown only this once)'));
    const ready = lines.findIndex((line) => line.startsWith('Tallyforge listens on '));
    expect(told).to.be.greaterThan(0);
    expect(ready - told).to.be.within(1, SCREEN - 2);
  });
});
