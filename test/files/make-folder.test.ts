import { expect } from 'chai';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../src/files/make-folder.js';
import { dataDir } from '../support/data-dir.js';
import { syncedBy } from '../support/synced.js';

describe('a folder that is made', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  let parent: string;
  beforeEach(async () => {
    data = await dataDir();
    parent = await realpath(data.path);
  });
  afterEach(() => data.remove());

  it('is on the disk with those above it that were missing', async () => {
    const path = join(parent, 'above', 'below');
    const synced = await syncedBy(() => makeFolder(path, 0o700));
    expect([...synced]).to.have.members([parent, join(parent, 'above')]);
    expect([...(await syncedBy(() => makeFolder(path, 0o700)))]).to.deep.equal([]);
  });
});
