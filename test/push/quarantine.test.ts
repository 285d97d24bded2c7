import { expect } from 'chai';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Git } from '../../src/git/git.js';
import { openGit } from '../../src/git/open-git.js';
import { GitLimitExceeded } from '../../src/git/port/errors.js';
import { Quarantine } from '../../src/push/quarantine.js';
import { PushRefused } from '../../src/push/refused.js';
import { commitFiles, realHash, refusal } from '../git/repositories.js';

const TOO_MUCH = 'so much at once cannot be judged by the rules of branches: push less';

describe('the quarantine of a push', () => {
  let folder: string;
  let git: Git;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallyforge:git-'));
    git = await openGit({ folder });
    await git.create(1, { defaultBranch: 'main' });
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function quarantined({ of = git, signal }: { of?: Git; signal?: AbortSignal } = {}) {
    const path = join(git.pathOf(1), 'objects', 'tmp_objdir-incoming');
    await mkdir(path);
    return Quarantine.at(of, 1, path, signal);
  }

  /** A commit with three levels of so many names, of a few kilobytes in all. */
  async function deepCommit(names: readonly string[]): Promise<string> {
    const at = git.pathOf(1);
    const blob = await realHash(at, ['hash-object', '-w', '--stdin'], 'x');
    const treeOf = (entry: string) =>
      realHash(at, ['mktree'], names.map((name) => `${entry}\t${name}\n`).join(''));
    let tree = await treeOf(`100644 blob ${blob}`);
    for (let level = 1; level < 3; level += 1) tree = await treeOf(`040000 tree ${tree}`);
    return realHash(at, ['commit-tree', tree, '-m', 'deep']);
  }
  const named = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => String(index).padStart(length, 'n'));

  it('is seen with the objects of the repository, also below a folder with a colon in its name', async () => {
    const first = await commitFiles(git, 1, { a: '1' });
    const second = await commitFiles(git, 1, { a: '2' });
    const quarantine = await quarantined();
    expect(await quarantine.isAncestor(first, second)).to.equal(true);
    expect(await quarantine.isAncestor(second, first)).to.equal(false);
  });

  it('tells the paths that changed, of a whole commit too', async () => {
    const first = await commitFiles(git, 1, { a: '1', é: '1' });
    const second = await commitFiles(git, 1, { a: '2', 'dir/b': '1' });
    const quarantine = await quarantined();
    expect([...(await quarantine.changedPaths(first, second))]).to.deep.equal(['a', 'dir/b']);
    expect([...(await quarantine.changedPaths(undefined, first))]).to.deep.equal(['a', 'é']);
    expect([...(await quarantine.changedPaths(first, first))]).to.deep.equal([]);
  });

  it('is refused where a few trees name more paths than are to be held', async () => {
    const commit = await deepCommit(named(32, 200));
    const quarantine = await quarantined();
    expect(await refusal(quarantine.changedPaths(undefined, commit))).to.include({ message: TOO_MUCH });
  });

  for (const limit of ['memory', 'time'] as const)
    it(`is refused in the same words where git would take more ${limit} than it may`, async () => {
      const stopped = () =>
        Promise.resolve({
          stdin: new PassThrough(),
          stdout: Readable.from([]),
          ended: Promise.reject(new GitLimitExceeded(limit, 'git diff-tree took too much')),
        });
      const stub = { pathOf: (id: number) => git.pathOf(id), start: stopped } as unknown as Git;
      const quarantine = await quarantined({ of: stub });
      const refused = await refusal(quarantine.changedPaths(undefined, 'a'.repeat(40)));
      expect(refused).to.be.instanceOf(PushRefused).and.include({ message: TOO_MUCH });
    });

  it('is looked at no longer once its push is over', async () => {
    const commit = await deepCommit(named(100, 3));
    const over = new AbortController();
    const quarantine = await quarantined({ signal: over.signal });
    const paths = refusal(quarantine.changedPaths(undefined, commit));
    over.abort(new Error('over'));
    expect(await paths).to.include({ message: 'over' });
  });
});
