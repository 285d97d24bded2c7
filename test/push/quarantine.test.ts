import { expect } from 'chai';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGit } from '../../src/git/open-git.js';
import { Quarantine } from '../../src/push/quarantine.js';
import { commitFiles } from '../git/repositories.js';

describe('the quarantine of a push', () => {
  it('is seen with the objects of the repository, also below a folder with a colon in its name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallyforge:git-'));
    const git = await openGit({ folder });
    await git.create(1, { defaultBranch: 'main' });
    const first = await commitFiles(git, 1, { a: '1' });
    const second = await commitFiles(git, 1, { a: '2' });
    const path = join(git.pathOf(1), 'objects', 'tmp_objdir-incoming');
    await mkdir(path);
    const quarantine = await Quarantine.at(git, 1, path);
    expect(await quarantine.isAncestor(first, second)).to.equal(true);
    expect(await quarantine.isAncestor(second, first)).to.equal(false);
    await rm(folder, { recursive: true });
  });
});
