import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { eachUnlessRemoved } from '../../src/git/missing.js';
import { GitError, GitRepositoryMissing } from '../../src/git/port/errors.js';
import { rejection } from '../support/rejection.js';
import { commitFiles, read, repositories, type Repositories } from './repositories.js';

describe('git: what happens in a repository while that is removed', () => {
  let at: Repositories;
  let ids = 0;
  before(async () => {
    at = await repositories();
  });
  after(() => at.remove());

  it('fails as what is missing, whatever git says of it', async () => {
    const { git } = at;
    for (let round = 0; round < 12; round += 1) {
      const id = (ids += 1);
      await git.create(id, { defaultBranch: 'main' });
      const commit = await commitFiles(git, id, { a: 'text', 'dir/b': 'another' });
      const work = [
        git.fork(id, (ids += 1)),
        git.archive(id, commit, 'zip', 'it').then(read),
        git.bundle(id, commit, 'main').then(read),
        git.diff(id, commit, 'patch').then(read),
        git.history(id, { from: commit, offset: 0, limit: 5 }),
        git.files(id, commit, { wanted: () => true, limit: 5 }),
        git.tree(id, commit, { recursive: true }),
        commitFiles(git, id, { c: 'new' }),
      ];
      const outcomes = Promise.allSettled(work);
      await sleep(round);
      await git.remove(id);
      for (const [index, outcome] of (await outcomes).entries())
        if (outcome.status === 'rejected')
          expect(outcome.reason, `${index} in round ${round}`).to.be.instanceOf(GitRepositoryMissing);
    }
  });

  it('breaks off a stream as what is missing', async () => {
    const { git } = at;
    const id = (ids += 1);
    await git.create(id, { defaultBranch: 'main' });
    const large = (name: number): [string, string] => [`${name}`, `${name}\n`.repeat(100_000)];
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => large(index)));
    const diff = await git.diff(id, await commitFiles(git, id, files), 'diff');
    await git.remove(id); // git waits to be read before it goes on
    expect(await rejection(read(diff))).to.be.instanceOf(GitRepositoryMissing);
  });

  it('moves no refs that were prepared before, as of what is missing', async () => {
    const { git } = at;
    const id = (ids += 1);
    await git.create(id, { defaultBranch: 'main' });
    const commit = await commitFiles(git, id, { a: 'text' });
    const prepared = await git.prepareRefs(id, [{ ref: 'refs/heads/other', before: null, after: commit }]);
    await git.remove(id);
    expect(await rejection(prepared.commit())).to.be.instanceOf(GitRepositoryMissing);
  });

  it('fails as it does where the repository is there, and is of one that was said before', async () => {
    const failing = { read: (id: number) => Promise.reject(new GitError(`broken ${id}`)), path: '/' };
    const layout = {
      existing: (id: number) =>
        id === 1 ? Promise.resolve('/1') : Promise.reject(new GitRepositoryMissing(id)),
    };
    const of = async (id: number, repository?: number) => {
      const methods = eachUnlessRemoved(layout, failing, repository);
      expect(methods.path).to.equal('/');
      return rejection(methods.read(id));
    };
    expect(await of(1))
      .to.be.instanceOf(GitError)
      .and.have.property('message', 'broken 1');
    expect(await of(2)).to.be.instanceOf(GitRepositoryMissing);
    expect(await of(1, 2)).to.be.instanceOf(GitRepositoryMissing);
  });
});
