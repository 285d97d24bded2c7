import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';

describe('docs/architecture.md', () => {
  it('tells of every folder of the sources', () => {
    const page = readFileSync('docs/architecture.md', 'utf8');
    const told = [...page.matchAll(/^\| +(`src\/.+?) +\|/gm)].flatMap(
      ([, cell = '']) => cell.match(/src\/[\w-]+/g) ?? [],
    );
    const folders = readdirSync('src', { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [`src/${entry.name}`] : [],
    );
    expect(told).to.include.members(folders);
  });
});
