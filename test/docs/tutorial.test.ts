import { walkedAsTyped } from './walks.js';

describe('docs/tutorial.md', () => {
  const titles = [
    'Two people and a limit',
    'Fill it',
    'Why was it refused?',
    'Rehearse before you change it',
    'Make room',
    'What was true then',
  ];
  walkedAsTyped([{ page: 'docs/tutorial.md', titles }], 8);
});
