import { expect } from 'chai';
import { GitRepositoryMissing } from '../../src/git/port/errors.js';
import { rejection } from '../support/rejection.js';
import { commitFiles, repositories, type Repositories } from './repositories.js';

describe('git: what is asked again', () => {
  let at: Repositories;
  let commit: string;
  beforeEach(async () => {
    at = await repositories();
    await at.git.create(1, { defaultBranch: 'main' });
    commit = await commitFiles(at.git, 1, { a: 'x', 'folder/b': 'y', large: 'z'.repeat(300_000) });
  });
  afterEach(() => at.remove());

  /** Without any program to start. */
  const again = async <T>(ask: () => Promise<T>): Promise<T> => {
    const { PATH } = process.env;
    process.env.PATH = '/nowhere';
    try {
      return await ask();
    } finally {
      process.env.PATH = PATH;
    }
  };

  it('starts no program, and is answered alike', async () => {
    const { git } = at;
    const blob = (await git.entry(1, commit, 'a'))?.hash ?? '';
    const asked: readonly (() => Promise<unknown>)[] = [
      () => git.entry(1, commit, 'folder/b'),
      () => git.entries(1, commit, ['a', 'folder']),
      () => git.tree(1, commit, { recursive: true }),
      () => git.tree(1, commit, { offset: 1, limit: 1 }),
      () => git.blob(1, blob, 100),
      () => git.blob(1, blob, 0),
      () => git.blobs(1, [blob], 50),
      () => git.types(1, [commit, blob]),
      () => git.lastCommits(1, commit, ['a', 'folder']),
      () => git.committedAt(1, [commit]),
      () => git.history(1, { from: commit, offset: 0, limit: 10 }),
    ];
    for (const ask of asked) {
      const first = await ask();
      expect(await again(ask)).to.deep.equal(first);
      expect(first).not.to.equal(undefined);
    }
  });

  it('keeps a small file, and none of the memory that it came in', async () => {
    const { git } = at;
    const small = (await git.entry(1, commit, 'a'))?.hash ?? '';
    await git.blob(1, small, 100);
    const { content } = (await again(() => git.blob(1, small, 100))) ?? {};
    expect([content?.toString(), content?.buffer.byteLength]).to.deep.equal(['x', 1]);
  });

  it('asks only for what it has not been told', async () => {
    const { git } = at;
    await git.lastCommits(1, commit, ['a']);
    expect(await git.lastCommits(1, commit, ['a', 'folder/b'])).to.have.keys('a', 'folder/b');
    expect(await git.types(1, [commit, '1'.repeat(40)])).to.have.keys(commit);
    expect(await rejection(again(() => git.types(1, [commit, '1'.repeat(40)])))).to.be.instanceOf(Error);
  });

  it('is looked for anew where there was nothing, or much', async () => {
    const { git } = at;
    expect(await git.entry(1, commit, 'none')).to.equal(undefined);
    expect(await rejection(again(() => git.entry(1, commit, 'none')))).to.be.instanceOf(Error);
    const large = (await git.entry(1, commit, 'large'))?.hash ?? '';
    expect((await git.blob(1, large, 1_000_000))?.content).to.have.length(300_000);
    expect(await rejection(again(() => git.blob(1, large, 1_000_000)))).to.be.instanceOf(Error);
  });

  it('is of one repository, and of none that was removed', async () => {
    const { git } = at;
    await git.entry(1, commit, 'a');
    await git.create(2, { defaultBranch: 'main' });
    expect(await git.entry(2, commit, 'a')).to.equal(undefined);
    await git.remove(1);
    expect(await rejection(git.entry(1, commit, 'a'))).to.be.instanceOf(GitRepositoryMissing);
    expect(await rejection(git.lastCommits(1, commit, ['a']))).to.be.instanceOf(GitRepositoryMissing);
  });
});
