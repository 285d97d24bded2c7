import { walkedAsTyped } from './walks.js';

describe('README.md', () => {
  walkedAsTyped(
    [
      {
        page: 'README.md',
        titles: ['A walk through quotas', 'A walk through people', 'A walk with git'],
      },
    ],
    13,
  );
});
