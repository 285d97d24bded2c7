import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { allRoutes } from '../support/all-routes.js';
import { operationsPage } from './operations-page.js';

describe('docs/api-operations.md', () => {
  it('lists every operation as it is declared (else: npm run docs)', () => {
    expect(readFileSync('docs/api-operations.md', 'utf8')).to.equal(operationsPage(allRoutes));
  });
});
