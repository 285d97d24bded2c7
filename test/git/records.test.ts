import { expect } from 'chai';
import { GitLimitExceeded } from '../../src/git/port/errors.js';
import { NUL, splitRecords, textsIn } from '../../src/git/program/records.js';

describe('records of git', () => {
  it('are cut where they end, wherever pieces do', () => {
    const records: string[] = [];
    const feed = splitRecords(NUL, (record) => void records.push(record.toString()));
    for (const piece of ['a', 'b\0c', '\0\0', 'd\0e']) feed(Buffer.from(piece));
    expect(records).to.deep.equal(['ab', 'c', '', 'd']);
  });

  it('that have no end are refused, before they are held in memory', () => {
    const feed = splitRecords(NUL, () => undefined);
    const piece = Buffer.alloc(256 * 1024, 'a');
    for (let nth = 0; nth < 4; nth++) feed(piece);
    expect(() => feed(piece)).to.throw(GitLimitExceeded);
  });

  it('are texts of a whole output, without what does not end', () => {
    expect([...textsIn(Buffer.from('ab\0é\0\0c'), NUL)]).to.deep.equal(['ab', 'é', '']);
    expect([...textsIn(Buffer.alloc(0), NUL)]).to.deep.equal([]);
  });
});
