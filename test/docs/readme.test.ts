import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { Environment } from '../../src/environment.js';
import { walkedAsTyped } from './walks.js';

describe('README.md', () => {
  it('lists every setting there is, and no other', () => {
    const settings = Object.keys(Environment.shape);
    const [, section = ''] = readFileSync('README.md', 'utf8').split(/^## (?:Configuration|Operating it)$/m);
    const cells = [...section.matchAll(/^\|([^|]+)\|/gm)].join();
    const listed = Array.from(cells.matchAll(/`([A-Z_]+)`/g), ([, name = '']) => name);
    expect(settings.length).to.be.greaterThan(20);
    expect([...new Set(listed)]).to.have.members(settings);
  });

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
