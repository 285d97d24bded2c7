import { expect } from 'chai';
import { DomainError } from '../../../src/domain/errors.js';
import { checkBranchName, checkRepositoryName } from '../../../src/domain/repositories/names.js';

describe('the name of a repository', () => {
  for (const name of ['a', 'A-b_c.d', '.github', '...', '-a', 'a'.repeat(100), 'git', 'wiki.git.txt'])
    it(`can be ${name}`, () => {
      checkRepositoryName(name);
    });

  for (const name of [
    '',
    '.',
    '..',
    '-',
    'a b',
    'ä',
    'a/b',
    'x.git',
    'x.GIT',
    'x.wiki',
    'x.rss',
    'x.atom',
    'a'.repeat(101),
  ])
    it(`cannot be ${JSON.stringify(name)}`, () => {
      expect(() => {
        checkRepositoryName(name);
      }).to.throw(DomainError, '[Name]');
    });
});

describe('the name of a default branch', () => {
  it('can have slashes', () => {
    checkBranchName('feature/one', 'DefaultBranch');
  });

  for (const name of ['', '-a', 'a..b', 'a b', '/a', 'a/', 'a.lock', '@', 'a@{b', 'a'.repeat(101)])
    it(`cannot be ${JSON.stringify(name)}`, () => {
      expect(() => {
        checkBranchName(name, 'DefaultBranch');
      }).to.throw(DomainError, '[DefaultBranch]');
    });
});
