import { expect } from 'chai';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { SummedFiles } from '../../src/backup/summed-files.js';
import { syncedBy } from '../support/synced.js';

describe('the files of a back-up', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tallyforge-summed-')));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

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
