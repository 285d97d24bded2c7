import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { binariesIn } from '../../src/postgres/binaries.js';
import { makeSharedFolder, reachableBinaries, SHARED_FOLDER } from '../../src/postgres/reachable.js';
import { canReach, serverUser } from '../../src/postgres/server-user.js';
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

  it('is not taken for one where nothing can be run to find out', () => {
    const { PATH } = process.env;
    process.env.PATH = '/nowhere'; // fails as where the user may have no more processes
    try {
      expect(() => canReach({ uid: 0, gid: 0 }, '/')).to.throw(
        'nothing can be run as the user of the database',
      );
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('is shared in a folder that is open to them, though root closes what it makes', async function () {
    const user = serverUser();
    if (!user) this.skip();
    const data = await dataDir();
    const folder = join(data.path, 'tallyforge');
    const umask = process.umask(0o077);
    await makeSharedFolder(user, folder).finally(() => process.umask(umask));
    expect(canReach(user, folder)).to.equal(true);
    await data.remove();
  });
});
