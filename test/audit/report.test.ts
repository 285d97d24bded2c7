import { expect } from 'chai';
import { asCsv, asJson, asTable, isOver, reportOf } from '../../src/audit/report.js';
import type { StandingAsOf } from '../../src/audit/standing-as-of.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';

const subject = { user: 'alice', account_id: 7, as_of: { position: 12n, time: '2026-01-01T00:00:00Z' } };
const nothing: StandingAsOf = {
  usage: StorageLedger.initialState.usage,
  reserved: {},
  own: [],
  defaults: { groups: [], total: -1n },
};
const group = (name: string, limit: bigint) => ({
  name,
  rules: [{ name: 'no "big", files', limit, subjects: ['size:git:lfs' as const] }],
});
const used = { ...nothing, usage: { ...nothing.usage, 'size:git:lfs': 9_007_199_254_740_993n } };

describe('the audit report', () => {
  it('says which groups apply: the account’s own, else the default ones, else the built-in one', () => {
    const defaults = { groups: [group('default', 5n)], total: 3n };
    expect(reportOf(subject, { ...nothing, own: [group('own', 1n)], defaults })).to.deep.include({
      groups_from: 'account',
    });
    expect(reportOf(subject, { ...nothing, defaults }).groups_from).to.equal('defaults');
    const { groups_from, rules } = reportOf(subject, { ...nothing, defaults: { groups: [], total: 3n } });
    expect(groups_from).to.equal('built-in');
    expect(rules.map(({ limit, subjects }) => ({ limit, subjects }))).to.deep.equal([
      { limit: 3n, subjects: ['size:all'] },
    ]);
  });

  it('knows who is over a limit: whoever uses more than a rule allows', () => {
    const at = (limit: bigint) => isOver(reportOf(subject, { ...used, own: [group('own', limit)] }));
    expect(at(9_007_199_254_740_992n)).to.equal(true);
    expect(at(9_007_199_254_740_993n)).to.equal(false);
    expect(at(-1n)).to.equal(false);
  });

  it('counts what is reserved where it says what would be refused', () => {
    const reserved = { 'size:git:lfs': 5n } as const;
    const report = reportOf(subject, { ...nothing, reserved, own: [group('own', 5n)] });
    expect([report.refused, isOver(report)]).to.deep.equal([['size:git:lfs'], false]);
    expect(asTable(report)).to.include('\n\nreserved by work under way: 5 (size:git:lfs)\nwould be refused');
  });

  it('is a table for people', () => {
    expect(asTable(reportOf(subject, { ...used, own: [group('own', 5n)] }))).to.equal(
      [
        'alice (account 7) as of position 12, 2026-01-01T00:00:00Z',
        'groups: account',
        '',
        'group  rule             subjects      limit  used',
        'own    no "big", files  size:git:lfs  5      9007199254740993  OVER',
        '',
        'would be refused: size:git:lfs',
      ].join('\n'),
    );
  });

  it('is CSV with quotes where they are needed', () => {
    expect(asCsv(reportOf(subject, { ...used, own: [group('own', 5n)] }))).to.equal(
      [
        'user,position,group,rule,subjects,limit,used,over',
        'alice,12,own,"no ""big"", files",size:git:lfs,5,9007199254740993,true',
      ].join('\r\n'),
    );
  });

  it('is JSON with every digit of 64-bit integers', () => {
    expect(asJson(reportOf(subject, used))).to.include('"size:git:lfs":9007199254740993');
  });
});
