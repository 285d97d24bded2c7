import { expect } from 'chai';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { Layout } from '../../src/git/disk/layout.js';
import { downloadsOf } from '../../src/git/downloads/downloads.js';
import type { Parts } from '../../src/git/parts.js';
import { GitError, GitLimitExceeded } from '../../src/git/port/errors.js';
import { GitProgram } from '../../src/git/program/git-program.js';
import { until } from '../support/process.js';
import {
  commitFiles,
  read,
  realGit,
  realHash,
  refusal,
  repositories,
  type Repositories,
} from './repositories.js';

describe('git: downloads', () => {
  let at: Repositories;
  let commit: string;
  before(async () => {
    at = await repositories();
    await at.git.create(1, { defaultBranch: 'main' });
    await commitFiles(at.git, 1, { a: 'older' });
    commit = await commitFiles(at.git, 1, { a: 'a text', 'dir/b': 'another', '-x': 'x' });
  });
  after(() => at.remove());

  it('are archives with everything below one folder', async () => {
    const tar = gunzipSync(await read(await at.git.archive(1, commit, 'tar.gz', 'it'))).toString('latin1');
    for (const name of ['it/', 'it/a', 'it/dir/b', 'it/-x']) expect(tar).to.contain(`${name}\0`);
    const zip = (await read(await at.git.archive(1, commit, 'zip', '--output=x'))).toString('latin1');
    expect(zip).to.match(/^PK/).and.to.contain('--output=x/dir/b');
  });

  it('are the same bytes each time', async () => {
    const each = async (work: () => Promise<AsyncIterable<unknown>>) => [
      await read(await work()),
      await read(await work()),
    ];
    for (const work of [
      () => at.git.archive(1, commit, 'tar.gz', 'it'),
      () => at.git.archive(1, commit, 'zip', 'it'),
      () => at.git.bundle(1, commit, 'main'),
    ]) {
      const [first, second] = await each(work);
      expect(first).to.deep.equal(second);
    }
  });

  it('have nothing filled in but what the commit tells', async () => {
    const words = '$Format:%h|%an|%D|%(describe)|%ar|%aN$';
    const subst = await commitFiles(at.git, 1, { '.gitattributes': 'f export-subst\n', f: words });
    const archive = async () => gunzipSync(await read(await at.git.archive(1, subst, 'tar.gz', 'it')));
    const before = await archive();
    const path = at.git.pathOf(1);
    await realGit(path, ['tag', '-a', '-m', 'v1', 'v1', subst]);
    await realGit(path, ['update-ref', 'refs/heads/other', subst]);
    expect(before.toString('latin1')).to.match(/\0[0-9a-f]{12}\|Ann Other\|\|\|in the future\|Ann Other\0/);
    expect(await archive()).to.deep.equal(before);
  });

  it('are bundles that can be cloned, of a commit that no ref names as well', async () => {
    const file = join(at.elsewhere, 'it.bundle');
    const parent = (await at.git.commit(1, commit))?.parents[0] ?? '';
    await writeFile(file, await read(await at.git.bundle(1, parent, 'feature/-x')));
    await realGit(at.elsewhere, ['clone', '--quiet', '--bare', file, 'cloned.git']);
    expect(await realGit(join(at.elsewhere, 'cloned.git'), ['rev-parse', 'HEAD'])).to.equal(`${parent}\n`);
    expect(await realGit(join(at.elsewhere, 'cloned.git'), ['symbolic-ref', 'HEAD'])).to.equal(
      'refs/heads/feature/-x\n',
    );
  });

  it('leave nothing aside, read or not', async () => {
    const stream = await at.git.bundle(1, commit, 'main');
    await new Promise((resolve) => stream.once('close', resolve).destroy());
    await until(async () => (await readdir(join(at.folder, 'staging'))).length === 0);
  });

  const real = (args: string[], input?: string | Buffer) => realHash(at.git.pathOf(1), args, input);
  const thousand = (entry: string) =>
    Array.from({ length: 1000 }, (_, index) => `${entry}\t${index}\n`).join('');
  const thousandFiles = async (content: string | Buffer) =>
    await real(['mktree'], thousand(`100644 blob ${await real(['hash-object', '-w', '--stdin'], content)}`));

  it('refuse what keeps git busy, as where a few kilobytes unfold to gigabytes', async () => {
    const bomb = await real(['commit-tree', '-m', 'bomb', await thousandFiles(Buffer.alloc(2 ** 24))]);
    const program = new GitProgram({ home: join(at.folder, 'home') });
    const start: GitProgram['start'] = (pool, cwd, args, options) => {
      const cpuSeconds = Math.ceil((options?.cpuSeconds ?? Infinity) / 120);
      return program.start(pool, cwd, args, { ...options, cpuSeconds });
    };
    const downloads = downloadsOf({ layout: new Layout(at.folder), program: { start } } as Parts);
    const refused = await refusal(downloads.archive(1, bomb, 'zip', 'it').then(read));
    expect(refused).to.be.instanceOf(GitLimitExceeded).and.to.have.property('limit', 'time');
  });

  it('refuse what names more files than memory holds', async () => {
    let tree = await thousandFiles('');
    for (let depth = 1; depth < 4; depth += 1) tree = await real(['mktree'], thousand(`040000 tree ${tree}`));
    const bomb = await real(['commit-tree', '-m', 'bomb', tree]);
    const refused = await refusal(at.git.archive(1, bomb, 'zip', 'it').then(read));
    expect(refused).to.be.instanceOf(GitLimitExceeded).and.to.have.property('limit', 'memory');
  });

  it('refuse directories within directories that are too deep for git', async () => {
    const path = 'd/'.repeat(20_000);
    const commit = ['commit refs/heads/deep', 'committer A <a@example.org> 1 +0000', 'data 1', 'x'];
    const file = [`M 100644 inline ${path}file`, 'data 1', 'x', 'done', ''];
    await realGit(at.git.pathOf(1), ['fast-import', '--quiet'], [...commit, ...file].join('\n'));
    const deep = await real(['rev-parse', 'refs/heads/deep']);
    for (const ask of [
      () => at.git.archive(1, deep, 'tar.gz', 'it').then(read),
      () => at.git.changedFiles(1, [deep]),
    ])
      expect(await refusal(ask())).to.be.instanceOf(GitLimitExceeded);
    expect(await at.git.lastCommits(1, deep, ['d'])).to.deep.equal(new Map());
  });

  it('fail before their first byte where git fails soon', async () => {
    const tree = await real(
      ['mktree'],
      `100644 blob ${await real(['hash-object', '-w', '--stdin'])}\t${'x'.repeat(100_000)}\n`,
    );
    const zip = await at.git.archive(1, await real(['commit-tree', '-m', 'a long name', tree]), 'zip', 'it');
    const pieces: unknown[] = [];
    zip.on('data', (piece: unknown) => pieces.push(piece));
    expect(await refusal(finished(zip))).to.be.instanceOf(GitError);
    expect(pieces).to.deep.equal([]);
  });

  it('refuse what is no commit here', async () => {
    expect(await refusal(at.git.archive(1, '--exec=x', 'zip', 'it'))).to.be.instanceOf(GitError);
    expect(await refusal(at.git.bundle(1, '--all', 'main'))).to.be.instanceOf(GitError);
    const missing = '1'.repeat(40);
    expect(await refusal(at.git.archive(1, missing, 'zip', 'it').then(read))).to.be.instanceOf(GitError);
    expect(await refusal(at.git.bundle(1, missing, 'main').then(read))).to.be.instanceOf(GitError);
  });
});
