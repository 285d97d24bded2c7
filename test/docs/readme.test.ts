import { walkedAsTyped } from './walks.js';

describe('README.md and docs/first-steps.md', () => {
  walkedAsTyped(
    [
      { page: 'README.md', titles: ['A walk through quotas', 'A walk through people'] },
      { page: 'docs/first-steps.md', titles: ['A repository and a limit'] },
    ],
    13,
  );
});
