import { expect } from 'chai';
import { GitLimitExceeded } from '../../src/git/port/errors.js';
import { NUL, splitRecords } from '../../src/git/program/records.js';

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
});
