import { expect } from 'chai';
import { readFileSync } from 'node:fs';

describe('CONTRIBUTING.md', () => {
  it('has a line for each script', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const rows = readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| `npm (?:run )?(\w+)` +\| \S/gm);
    expect([...rows].map(([, script]) => script)).to.have.members(Object.keys(scripts));
  });
});
