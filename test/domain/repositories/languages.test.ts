import { expect } from 'chai';
import {
  mostFirst,
  primaryLanguage,
  RepositoryLanguages,
  type LanguageSizes,
  type RepositoryLanguagesEvent,
} from '../../../src/domain/repositories/languages.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
const { given } = specification(RepositoryLanguages);

const measured = (commit: string, languages: LanguageSizes): RepositoryLanguagesEvent => ({
  type: 'LanguagesMeasured',
  data: { commit, languages, measuredAt: at },
});
const record = (commit: string, languages: LanguageSizes) =>
  ({ type: 'RecordLanguages', data: { commit, languages, at } }) as const;

describe('the languages of a repository', () => {
  it('are recorded when there are any', () =>
    given()
      .when(record(first, { C: 1 }))
      .then(measured(first, { C: 1 })));
  it('are not recorded when there have never been any', () => given().when(record(first, {})).then());
  it('are recorded when the last of them is gone', () =>
    given(measured(first, { C: 1 }))
      .when(record(second, {}))
      .then(measured(second, {})));

  for (const [change, languages] of [
    ['grows', { C: 2, Go: 1 }],
    ['comes', { C: 1, Go: 1, Rust: 1 }],
    ['goes', { C: 1 }],
    ['is another', { C: 1, Rust: 1 }],
  ] as const)
    it(`are recorded when one ${change}`, () =>
      given(measured(first, { C: 1, Go: 1 }))
        .when(record(second, languages))
        .then(measured(second, languages)));

  it('are not recorded when they are the same, in whatever order, of whatever commit', () =>
    given(measured(first, { C: 1, Go: 2 }))
      .when(record(second, { Go: 2, C: 1 }))
      .then());

  it('are those of the base in a fork that has not been measured', () => {
    const take = { type: 'TakeLanguages', data: { commit: first, languages: { C: 1 }, at } } as const;
    given()
      .when(take)
      .then(measured(first, { C: 1 }));
    given(measured(second, { Go: 1 }))
      .when(take)
      .then();
  });

  it('stand most bytes first, then by name', () => {
    const sizes = { Rust: 1, C: 3, Go: 3, Ada: 1 };
    expect(Object.keys(mostFirst(sizes))).to.deep.equal(['C', 'Go', 'Ada', 'Rust']);
    expect(primaryLanguage(sizes)).to.equal('C');
    expect(primaryLanguage({})).to.equal('');
  });
});
