import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Finding } from '../../bench/harness/question.js';
import { allMet, inJson, table, type Answer } from '../../bench/harness/report.js';

const quick: Finding = { what: 'reads', value: 0.954, unit: '×', atLeast: 0.9, detail: '900 requests/s' };
const slow: Finding = { what: 'p50', value: 61.2, unit: 'ms', atMost: 50, detail: 'of 2,000' };
const large: Finding = { what: 'rebuild', value: 25_000, unit: 'events/s', atLeast: 25_000, detail: '' };

const answers = (...findings: Finding[]): Answer[] =>
  findings.map((finding) => ({ question: `question of ${finding.what}`, findings: [finding] }));

describe('the report of npm run bench', () => {
  it('is one table, each figure beside what is wanted of it, and what it misses', () => {
    const rows = table(answers(quick, slow, large))
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/));
    expect(rows).to.deep.equal([
      ['question', 'what', 'measured', 'wanted', 'behind it'],
      ['question of reads', 'reads', '0.954 ×', '≥ 0.900', 'ok', '900 requests/s'],
      ['question of p50', 'p50', '61.2 ms', '≤ 50.0', 'MISSED', 'of 2,000'],
      ['question of rebuild', 'rebuild', '25,000 events/s', '≥ 25,000', 'ok'],
    ]);
  });

  it('is the same as a line of JSON', () => {
    const line = inJson(answers(quick, slow), true);
    expect(line).not.to.include('\n');
    expect(JSON.parse(line)).to.deep.include({
      quick: true,
      findings: [
        { question: 'question of reads', ...quick, met: true },
        { question: 'question of p50', ...slow, met: false },
      ],
    });
  });

  it('is good where every figure is as it must be, and no longer where one is not, or is none', () => {
    expect(allMet(answers(quick, large))).to.equal(true);
    expect(allMet(answers(quick, slow, large))).to.equal(false);
    expect(allMet(answers({ ...quick, value: NaN }))).to.equal(false);
  });

  it('is of the questions that docs/performance.md tells of', async () => {
    const main = new URL('../../bench/main.js', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--help']);
    const [, names = ''] = /^Names:\n((?: {2}\S.*\n)+)/m.exec(stdout) ?? [];
    const asked = Array.from(names.matchAll(/^ {2}(\S+)/gm), ([, name]) => name);
    const page = readFileSync('docs/performance.md', 'utf8');
    const told = Array.from(page.matchAll(/^\| `(\w+)` +\|/gm), ([, name]) => name);
    expect(asked).to.have.members(told);
  });
});
