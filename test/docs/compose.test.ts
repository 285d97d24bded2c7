import { expect } from 'chai';
import { readFileSync } from 'node:fs';

/** What the image sets: nothing outside of a container depends on it. */
const OF_THE_IMAGE = ['HOST', 'PORT', 'DATA_DIR'];

describe('docker-compose.yml', () => {
  it('passes on every setting that the README lists', () => {
    const [, table = ''] = readFileSync('README.md', 'utf8').split(/^## (?:Configuration|Operating it)$/m);
    const cells = [...table.matchAll(/^\|([^|]+)\|/gm)].join();
    const listed = [...cells.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name);
    const passedOn = readFileSync('docker-compose.yml', 'utf8').matchAll(/^ {2}([A-Z_]+): /gm);
    expect(new Set(Array.from(passedOn, ([, name = '']) => name))).to.deep.equal(
      new Set(listed.filter((name) => !OF_THE_IMAGE.includes(name))),
    );
  });
});
