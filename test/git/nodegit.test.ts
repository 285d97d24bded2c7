import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import nodegit from 'nodegit';
import { Handles } from '../../src/git/nodegit/handles.js';

const program = fileURLToPath(new URL('repository-process.js', import.meta.url));

/** Of somebody who has everything otherwise. */
const settings = (home: string) => `
[core]
  autocrlf = true
  compression = 0
  attributesFile = ${home}/attributes
  excludesFile = ${home}/ignore
  hooksPath = ${home}/hooks
  worktree = ${home}
  repositoryFormatVersion = 99
[extensions]
  objectFormat = sha256
[commit]
  gpgSign = true
[init]
  templateDir = ${home}
  defaultBranch = trunk
[url "https://nobody.example/"]
  insteadOf = /
[transfer]
  hideRefs = refs/heads
`;

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

  it('finds a repository that was not there when it was first looked for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallyforge-git-'));
    try {
      const path = join(folder, 'it.git');
      const handles = new Handles();
      const isEmpty = (repository: nodegit.Repository) => Promise.resolve(repository.isEmpty());
      expect(await handles.use(path, isEmpty)).to.equal(undefined);
      execFileSync('git', ['init', '--quiet', '--bare', '--template=', path]);
      expect(await handles.use(path, isEmpty)).to.equal(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  describe('does not hear the settings of whoever runs it', () => {
    let folder: string;
    let runs = 0;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tallyforge-git-'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    const made = async (env: Record<string, string>): Promise<unknown> => {
      const own = join(folder, String(++runs));
      await mkdir(own);
      const environment = { PATH: process.env.PATH, ...env };
      return JSON.parse(
        execFileSync(process.execPath, [program, own], { env: environment, encoding: 'utf8' }),
      );
    };

    for (const [what, text] of [
      ['that are others', settings],
      ['that cannot be read', () => '[core'],
    ] as const)
      it(what, async () => {
        const home = join(folder, 'home');
        await mkdir(join(home, 'hooks'), { recursive: true });
        await mkdir(join(home, 'git'));
        for (const [file, content] of [
          ['.gitconfig', text(home)],
          ['git/config', text(home)],
          ['attributes', '* text eol=crlf'],
          ['ignore', '*'],
          ['hooks/reference-transaction', '#!/bin/sh\nexit 1\n'],
        ] as const)
          await writeFile(join(home, file), content);
        await chmod(join(home, 'hooks/reference-transaction'), 0o755);
        expect(await made({ HOME: home, XDG_CONFIG_HOME: home })).to.deep.equal(await made({}));
      });
  });
});
