import { expect } from 'chai';
import { ProgressLines } from '../../../projections/rebuild/progress.js';

describe('the progress of a rebuild', () => {
  it('is told in a line now and then where there is no terminal', () => {
    const lines: string[] = [];
    let now = 0;
    const progress = new ProgressLines(
      (line) => lines.push(line),
      () => now,
    );
    progress.start('quota', 200n);
    now = 1_000;
    progress.advance(50n, 40);
    now = 2_500;
    progress.advance(100n, 60);
    progress.stop();
    progress.stop();
    expect(lines).to.deep.equal([
      'quota: building up to position 200',
      'quota: 50 %, 100 events',
      'quota: built from 100 events in 2.5 s',
    ]);
  });
});
