import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { withQuotedFiles } from './quoted-files.js';

const PAGE = 'docs/contributing.md';

describe(PAGE, () => {
  const page = readFileSync(PAGE, 'utf8');

  it('quotes its example as it compiles and passes its tests (else: npm run docs)', () => {
    expect(page).to.equal(withQuotedFiles(PAGE, page));
  });

  it('would be told of a change', () => {
    expect(withQuotedFiles(PAGE, page.replace('const MAX_LENGTH = 280', 'const MAX_LENGTH = 281'))).to.equal(
      page,
    );
  });
});
