import { walkedAsTyped } from './walks.js';

describe('the walks of the README', function () {
  this.timeout(60_000);
  walkedAsTyped(
    'README.md',
    ['A walk through quotas', 'A walk through people', 'A walk through repositories'],
    9,
  );
});
