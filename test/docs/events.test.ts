import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { eventsPage } from './events-page.js';

describe('docs/events.md', () => {
  it('describes every type of event as it is declared (else: npm run docs)', () => {
    expect(readFileSync('docs/events.md', 'utf8')).to.equal(eventsPage(process.cwd()));
  });
});
