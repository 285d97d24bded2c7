import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { binariesIn } from '../../src/postgres/binaries.js';
import { reachableBinaries, SHARED_FOLDER } from '../../src/postgres/reachable.js';
import { serverUser } from '../../src/postgres/server-user.js';
import { dataDir } from '../support/data-dir.js';
import { rejection } from '../support/rejection.js';

describe('PostgreSQL in a folder that its user cannot enter', () => {
  it('is copied whole or not at all', async function () {
    const user = serverUser();
    if (!user) this.skip(); // nobody but root needs a copy
    const closed = await dataDir();
    await chmod(closed.path, 0o700);
    const version = basename(closed.path);
    await writeFile(join(closed.path, 'package.json'), JSON.stringify({ version }));
    const installation = join(closed.path, 'native');
    await mkdir(installation);
    await writeFile(join(installation, 'a'), '');
    execFileSync('mkfifo', [join(installation, 'b')]); // which cannot be copied, as anything where the disk is full
    expect(await rejection(reachableBinaries(binariesIn(installation), user)))
      .to.have.property('message')
      .that.includes('FIFO');
    await closed.remove();
    expect((await readdir(SHARED_FOLDER)).filter((name) => name.includes(version))).to.deep.equal([]);
  });
});
