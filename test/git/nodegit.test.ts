import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import nodegit from 'nodegit';
import { Handles } from '../../src/git/nodegit/handles.js';
import { until } from '../support/process.js';
import { realGit, realHash } from './repositories.js';

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

  describe('closes the files of a repository', () => {
    let folder: string;
    let path: string;
    let hash: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tallyforge-git-'));
      path = join(folder, 'it.git');
      await realGit(folder, ['init', '--quiet', '--bare', '--template=', path]);
      const told = 'commit refs/heads/main\ncommitter A <a@example.org> 1 +0000\ndata 1\nx\ndone\n';
      await realGit(path, ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], told);
      hash = await realHash(path, ['rev-parse', 'main']);
    });
    after(() => {
      opened.length = 0;
      return rm(folder, { recursive: true });
    });

    const isOpen = async () => (await readFile('/proc/self/maps', 'utf8')).includes(`${path}/objects/pack/`);
    const opened: nodegit.Repository[] = []; // or garbage collection would close them
    const lookUp = async (repository: nodegit.Repository) => {
      opened.push(repository);
      return (await nodegit.Commit.lookup(repository, nodegit.Oid.fromString(hash))).messageRaw();
    };

    it('that is dropped, once its last user is done', async () => {
      const handles = new Handles();
      await handles.use(path, async (repository) => {
        expect(await lookUp(repository)).to.equal('x');
        handles.drop(path);
        expect(await handles.use(path, lookUp), 'by another user').to.equal('x');
        handles.drop(path);
        expect(await lookUp(repository)).to.equal('x');
        expect(await isOpen()).to.equal(true);
      });
      await until(async () => !(await isOpen()));
      expect(await handles.use(path, lookUp)).to.equal('x');
      handles.drop(path);
    });

    it('that has been kept for a while', async () => {
      const handles = new Handles({ keptMs: 50 });
      expect(await handles.use(path, lookUp)).to.equal('x');
      await until(async () => !(await isOpen()));
      expect(await handles.use(path, lookUp)).to.equal('x');
    });
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
