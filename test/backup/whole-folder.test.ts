import { expect } from 'chai';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWhole } from '../../src/backup/whole-folder.js';
import { rejection } from '../support/rejection.js';

describe('a folder that is made whole', () => {
  let parent: string;
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'tallyforge-whole-'));
  });
  after(() => rm(parent, { recursive: true, force: true }));

  it('is out of reach of others who would make it, until it has its name', async () => {
    for (let round = 0; round < 20; round += 1) {
      const folder = join(parent, `round-${round}`);
      const others: Promise<Error>[] = [];
      const tryToo = () =>
        others.push(rejection(makeWhole(folder, () => Promise.reject(new Error('got in')))));
      let timer: NodeJS.Timeout | undefined;
      await makeWhole(folder, async (unfinished) => {
        await writeFile(join(unfinished, 'content'), '');
        timer = setInterval(tryToo, 1);
      }).finally(() => clearInterval(timer));
      await Promise.all(others);
      expect(await readdir(folder)).to.deep.equal(['content']);
    }
  });

  it('is not made where a file has its name, and the file stays', async () => {
    const file = join(parent, 'file');
    await writeFile(file, '');
    const refusal = await rejection(makeWhole(file, () => Promise.resolve()));
    expect(refusal).to.have.property('message', `${file} is there already: name a new folder`);
    expect(await readdir(parent)).to.include('file');
  });

  it('is not made where nobody can tell what is there', async () => {
    const folder = join(parent, 'in-circles');
    await symlink('in-circles', folder); // root too cannot follow it
    expect(await rejection(makeWhole(folder, () => Promise.resolve())))
      .to.have.property('message')
      .that.contains(`${folder} cannot be read: name another folder, or run this as a user who may`);
  });

  it('takes the place of an empty folder', async () => {
    const folder = join(parent, 'empty');
    await mkdir(folder);
    await makeWhole(folder, (unfinished) => writeFile(join(unfinished, 'content'), ''));
    expect(await readdir(folder)).to.deep.equal(['content']);
  });

  it('is refused before the work where it could not have its name after it, as at a link or a mount point', async () => {
    const link = join(parent, 'link');
    await mkdir(join(parent, 'target'));
    await symlink('target', link);
    const work = () => Promise.reject(new Error('was begun'));
    expect(await rejection(makeWhole(link, work)))
      .to.have.property('message')
      .that.contains(`${link} cannot be replaced: name a new folder in it. ENOTDIR`);
    expect(await readdir(parent)).not.to.include('link.unfinished');
  });
});
