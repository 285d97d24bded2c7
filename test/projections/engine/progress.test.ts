import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ProgressLines, progressOn } from '../../../projections/rebuild/progress.js';

/** What is written where a rebuild reports to a terminal, or to something else. */
function written(isTTY: boolean): Promise<string> {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const progress = progressOn(stream as unknown as NodeJS.WriteStream);
  progress.start('quota', 200n);
  progress.advance(100n, 60);
  progress.finish();
  progress.stop();
  return text(stream.end());
}

describe('the progress of a rebuild', () => {
  it('is a bar on a terminal, and lines elsewhere', async () => {
    expect(await written(true)).to.match(/quota [^\n]*=+-+[^\n]* 50 % \| 60 events \| /);
    expect(await written(false)).to.match(
      /^quota: building up to position 200\nquota: built from 60 events in .* s\n$/,
    );
  });

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
    progress.finish();
    progress.stop();
    expect(lines).to.deep.equal([
      'quota: building up to position 200',
      'quota: 50 %, 100 events',
      'quota: built from 100 events in 2.5 s',
    ]);
  });

  it('says of no build that it was built where it was given up', () => {
    const lines: string[] = [];
    const progress = new ProgressLines((line) => lines.push(line));
    progress.stop();
    progress.start('quota', 200n);
    progress.advance(100n, 60);
    progress.stop();
    expect(lines).to.deep.equal(['quota: building up to position 200']);
  });

  it('says where there is nothing to build from', () => {
    const lines: string[] = [];
    new ProgressLines((line) => lines.push(line)).start('quota', -1n);
    expect(lines).to.deep.equal(['quota: building from an empty log']);
  });
});
