import { expect } from 'chai';
import { closingWords, MAX_REFERENCES } from '../../../src/domain/issues/closing-words.js';

const BASE = 'https://forge.example.org/git';

describe('what a commit message says of issues', () => {
  const closing = ['close', 'closes', 'closed', 'fix', 'fixes', 'fixed', 'resolve', 'resolves', 'resolved'];
  for (const word of closing)
    it(`${word} #1 closes`, () => {
      expect(closingWords(`${word} #1`, BASE)).to.deep.equal([{ number: 1, action: 'close' }]);
    });
  for (const word of ['reopen', 'reopens', 'reopened'])
    it(`${word} #1 reopens`, () => {
      expect(closingWords(`${word} #1`, BASE)).to.deep.equal([{ number: 1, action: 'reopen' }]);
    });

  const said = (message: string) =>
    closingWords(message, BASE).map(
      ({ repository = '', number, action }) => `${action} ${repository}#${String(number)}`,
    );

  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['a number alone is a reference', 'see #12', ['mention #12']],
    ['letter case does not count', 'FIXES #1, Closes #2', ['close #1', 'close #2']],
    ['a colon may follow the word', 'Fixes: #3', ['close #3']],
    ['a word counts for the issue next to it', 'fixes #1, #2', ['close #1', 'mention #2']],
    ['other repositories', 'closes ann/my.tool#7', ['close ann/my.tool#7']],
    [
      'lines, brackets and stops',
      'Title\n\nFixes #1.\n(resolves #2) [#3]',
      ['close #1', 'close #2', 'mention #3'],
    ],
    ['in the order of the message', 'reopens #1 closes #1', ['reopen #1', 'close #1']],
    [
      'what is said twice counts once',
      'fix #1 fixes #1 close Ann/x#1 close ann/X#1',
      ['close #1', 'close Ann/x#1'],
    ],
    [
      'parts of words are no words',
      'prefix #1 hotfixes #2 un-fixes #3',
      ['mention #1', 'mention #2', 'mention #3'],
    ],
    [
      'a quoted word says nothing, as in a revert; a quoted number is a reference',
      `Revert "fixes #1"\n'closes #2' "#3" [fixes #4] "so it fixes #5"`,
      ['mention #1', 'mention #2', 'mention #3', 'close #4', 'close #5'],
    ],
    ['parts of words are no numbers', 'fixes #1a fixes a#1 fixes ##1 fixes #1#2 C#7', []],
    ['a word on another line is another matter', 'closes\n#1', ['mention #1']],
    ['no issue is number 0, or longer than a number', 'fixes #0 fixes #1234567890123456', []],
    [
      'addresses of issues, in any letter case, which are no others',
      `fixes ${BASE}/ann/tool/issues/7, reopens HTTPS://FORGE.example.org/git/ann/tool/issues/8. (${BASE}/ann/tool/issues/9)`,
      ['close ann/tool#7', 'reopen ann/tool#8', 'mention ann/tool#9'],
    ],
    [
      'no address of a comment, a pull request, or somewhere else',
      `fixes ${BASE}/a/b/issues/1#c fixes ${BASE}/a/b/pulls/2 fixes https://forge-example.org/git/a/b/issues/3 fixes ${BASE}/issues/4 fixes x${BASE}/a/b/issues/5`,
      [],
    ],
    ['a path names no repository', 'fixes a/b/c#1', []],
    ['nothing', '', []],
  ];
  for (const [title, message, expected] of cases)
    it(title, () => {
      expect(said(message)).to.deep.equal(expected);
    });

  it('is read up to a bound', () => {
    const many = Array.from({ length: 2 * MAX_REFERENCES }, (_, index) => `fixes #${String(index + 1)}`);
    expect(closingWords(many.join(' '), BASE)).to.have.length(MAX_REFERENCES);
  });
});
