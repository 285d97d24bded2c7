import { walkedAsTyped } from './walks.js';

describe('the walks of the README', () => {
  walkedAsTyped(
    'README.md',
    ['A walk through quotas', 'A walk through people', 'A walk through repositories'],
    9,
  );
});
