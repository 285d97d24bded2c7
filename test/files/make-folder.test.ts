import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../src/files/make-folder.js';
import { syncedBy } from '../support/synced.js';

describe('a folder that is made', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await realpath(await mkdtemp(join(tmpdir(), 'tallyforge-folder-')));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('is on the disk with those above it that were missing', async () => {
    const path = join(parent, 'above', 'below');
    const synced = await syncedBy(() => makeFolder(path, 0o700));
    expect([...synced]).to.have.members([parent, join(parent, 'above')]);
    expect([...(await syncedBy(() => makeFolder(path, 0o700)))]).to.deep.equal([]);
  });
});
