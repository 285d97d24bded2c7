import { expect } from 'chai';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { SummedFiles } from '../../src/backup/summed-files.js';
import { dataDir } from '../support/data-dir.js';
import { syncedBy } from '../support/synced.js';

describe('the files of a back-up', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  let folder: string;
  beforeEach(async () => {
    data = await dataDir();
    folder = await realpath(data.path);
  });
  afterEach(() => data.remove());

  it('are on the disk with their entries in all folders before the manifest says that they are there', async () => {
    const synced = await syncedBy(async () => {
      const files = await SummedFiles.in(folder);
      await files.write('repositories/07/7.0.pack', Readable.from([Buffer.from('objects')]));
      await files.finish();
      await files.close();
    });
    expect([...synced]).to.include.members([
      join(folder, 'repositories'),
      join(folder, 'repositories', '07'),
    ]);
  });
});
