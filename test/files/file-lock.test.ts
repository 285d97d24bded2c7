import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '../../src/files/file-lock.js';
import { dataDir } from '../support/data-dir.js';

describe('the lock of a file', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  before(async () => {
    data = await dataDir();
  });
  after(() => data.remove());
  const lock = () => tryLock(join(data.path, 'lock'));

  it('is held by one, until that is done with it', () => {
    const held = lock();
    expect(lock()).to.equal(undefined);
    held?.release();
    lock()?.release();
  });

  it('is not said to be held by another where the file system has none', () => {
    const { PATH } = process.env;
    const said = '#!/bin/sh\necho "flock: 3: No locks available" >&2\nexit 71\n';
    writeFileSync(join(data.path, 'flock'), said, { mode: 0o700 });
    process.env.PATH = data.path;
    try {
      expect(lock).to.throw('no lock can be had here: flock: 3: No locks available');
    } finally {
      process.env.PATH = PATH;
    }
  });
});
