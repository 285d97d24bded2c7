import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nodegit from 'nodegit';

describe('nodegit', () => {
  it('opens a repository that git made', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallyforge-git-'));
    try {
      const path = join(folder, 'it.git');
      execFileSync('git', ['init', '--quiet', '--bare', '--template=', path]);
      const repository = await nodegit.Repository.openBare(path);
      expect(repository.isBare()).to.equal(1);
      expect(repository.isEmpty()).to.equal(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
