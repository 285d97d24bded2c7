import { expect } from 'chai';
import { Map } from 'immutable';
import { DomainError } from '../../../src/domain/errors.js';
import {
  checkBaseBranchName,
  checkBranchName,
  checkRepositoryName,
  checkTagName,
} from '../../../src/domain/repositories/names.js';

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

for (const [kind, check] of [
  ['branch', checkBranchName],
  ['tag', checkTagName],
] as const)
  describe(`the name of a ${kind}`, () => {
    for (const name of ['feature/one', 'feature/@', 'ä', '\u{1f600}'.repeat(60), 'a'.repeat(100)])
      it(`can be ${name}`, () => {
        check(name, 'Name');
      });

    for (const name of [
      '',
      '-a',
      'a..b',
      'a b',
      'a\u0085b',
      '/a',
      'a/',
      'a.lock',
      '@',
      'a@{b',
      'a'.repeat(101),
      'ä'.repeat(101),
    ])
      it(`cannot be ${JSON.stringify(name)}`, () => {
        expect(() => {
          check(name, 'Name');
        }).to.throw(DomainError, '[Name]');
      });
  });

describe('the name of a branch to begin at', () => {
  const state = { refs: Map({ 'refs/heads/a b': 'f'.repeat(40) }), settings: { defaultBranch: 'c d' } };

  for (const name of ['absent', 'a b', 'c d'])
    it(`can be ${name}`, () => {
      checkBaseBranchName(state, name, 'Branch');
    });

  it('cannot be that of a tag alone where it would not do for a branch', () => {
    const tagged = { ...state, refs: Map({ 'refs/tags/e f': 'f'.repeat(40) }) };
    expect(() => {
      checkBaseBranchName(tagged, 'e f', 'Branch');
    }).to.throw(DomainError, '[Branch]');
  });
});
