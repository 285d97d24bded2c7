import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  commitFiles,
  read,
  realGit,
  realHash,
  refusal,
  repositories,
  type Repositories,
} from './repositories.js';
import { GitError } from '../../src/git/port/errors.js';

const minute = (count: number) => `2026-01-31T12:${String(count).padStart(2, '0')}:00Z`;

describe('git: history', () => {
  let at: Repositories;
  let path: string;
  /** One after the other on main: a, b, a and b, dir/c; the last merges `side`, which changed dir/d. */
  let one: string, two: string, three: string, four: string, side: string, merge: string;

  before(async () => {
    at = await repositories();
    const { git } = at;
    await git.create(1, { defaultBranch: 'main' });
    path = git.pathOf(1);
    one = await commitFiles(git, 1, { a: '1\n' }, { at: minute(1) });
    two = await commitFiles(git, 1, { b: '1\n' }, { at: minute(2) });
    three = await commitFiles(git, 1, { a: '2\n', b: '2\n2\n' }, { at: minute(3) });
    side = await commitFiles(git, 1, { 'dir/d': 'd\n' }, { at: minute(4), branch: 'side', parents: [two] });
    four = await commitFiles(git, 1, { 'dir/c': 'c\n', '-x': 'x' }, { at: minute(5) });
    await realGit(path, ['update-ref', 'refs/heads/main', four]);
    merge = await commitFiles(git, 1, { 'dir/d': 'd\n' }, { at: minute(6), parents: [four, side] });
  });
  after(() => at.remove());

  describe('pages', () => {
    const page = async (query: object) => {
      const { commits, total } = await at.git.history(1, { from: merge, offset: 0, limit: 50, ...query });
      return [commits.map(({ hash }) => hash), total];
    };

    it('go from the newest commit to the oldest', async () => {
      expect(await page({})).to.deep.equal([[merge, four, side, three, two, one], 6]);
      expect(await page({ limit: 2 })).to.deep.equal([[merge, four], 6]);
      expect(await page({ offset: 2, limit: 3 })).to.deep.equal([[side, three, two], 6]);
      expect(await page({ offset: 5, limit: 3 })).to.deep.equal([[one], 6]);
      expect(await page({ offset: 6 })).to.deep.equal([[], 6]);
      expect(await page({ limit: 0 })).to.deep.equal([[], 6]);
      expect(await page({ from: two, offset: 1 })).to.deep.equal([[one], 2]);
    });

    it('leave out what other commits reach', async () => {
      expect(await page({ not: [three] })).to.deep.equal([[merge, four, side], 3]);
      expect(await page({ not: [three, side], offset: 1 })).to.deep.equal([[four], 2]);
      expect(await page({ not: [merge] })).to.deep.equal([[], 0]);
    });

    it('keep to a path, without overlaps', async () => {
      expect(await page({ path: 'a' })).to.deep.equal([[three, one], 2]);
      expect(await page({ path: 'a', limit: 1 })).to.deep.equal([[three], 2]);
      expect(await page({ path: 'a', offset: 1, limit: 1 })).to.deep.equal([[one], 2]);
      expect(await page({ path: '-x' })).to.deep.equal([[four], 1]);
      expect(await page({ path: 'dir/c' })).to.deep.equal([[four], 1]);
      for (const odd of ['none', '*', 'a?', '../a', '/a', ':(glob)**', '--all', '.git'])
        expect(await page({ path: odd }), odd).to.deep.equal([[], 0]);
    });

    it('refuse what is no hash', async () => {
      for (const from of ['main', '--all', '', `${one} ${two}`, `--output=${at.elsewhere}/x`]) {
        expect(await refusal(page({ from }))).to.be.instanceOf(GitError);
        expect(await refusal(page({ not: [from] }))).to.be.instanceOf(GitError);
      }
    });
  });

  it('tells what a branch gained', async () => {
    const { git } = at;
    expect(await git.newCommits(1, two, four, 20)).to.deep.equal({ hashes: [four, three], count: 2 });
    expect(await git.newCommits(1, null, four, 2)).to.deep.equal({ hashes: [four, three], count: 4 });
    expect(await git.newCommits(1, [four, side], merge, 20)).to.deep.equal({ hashes: [merge], count: 1 });
    expect(await git.newCommits(1, merge, one, 20)).to.deep.equal({ hashes: [], count: 0 });
    expect(await git.newCommits(1, one, one, 20)).to.deep.equal({ hashes: [], count: 0 });
    expect(await git.newCommits(1, null, one, 20), 'the first there is').to.deep.equal({
      hashes: [one],
      count: 1,
    });
    expect(await git.newCommits(1, one, two, 20), 'one more').to.deep.equal({ hashes: [two], count: 1 });
    expect(await git.newCommits(1, [two, four], three, 20)).to.deep.equal({ hashes: [], count: 0 });
  });

  it('tells which files differ between two commits, or all files', async () => {
    const { git } = at;
    expect([...(await git.changedPaths(1, three, merge))]).to.deep.equal(['-x', 'dir/c', 'dir/d']);
    expect([...(await git.changedPaths(1, merge, three))]).to.deep.equal(['-x', 'dir/c', 'dir/d']);
    expect([...(await git.changedPaths(1, undefined, side))]).to.deep.equal(['a', 'b', 'dir/d']);
    expect([...(await git.changedPaths(1, one, one))]).to.deep.equal([]);
    expect(await refusal(git.changedPaths(1, one, '--all'))).to.be.instanceOf(GitError);
  });

  it('tells whether a ref could move without force', async () => {
    const { git } = at;
    expect(await git.isAncestor(1, one, merge)).to.be.true;
    expect(await git.isAncestor(1, one, one)).to.be.true;
    expect(await git.isAncestor(1, merge, one)).to.be.false;
    expect(await git.isAncestor(1, side, four)).to.be.false;
  });

  it('tells when commits were made', async () => {
    const { git } = at;
    const commits = await git.commits(1, [one, merge]);
    const seconds = (time = '') => Date.parse(time);
    const times = await git.committedAt(1, [one, '1'.repeat(40), merge]);
    expect([...times].map(([hash, time]) => [hash, seconds(time)])).to.deep.equal(
      commits.map(({ hash, committer }) => [hash, seconds(committer.at)]),
    );
  });

  it('finds the newest commit of each path', async () => {
    const { git } = at;
    const last = async (commit: string, paths: string[]) =>
      Object.fromEntries(await git.lastCommits(1, commit, paths));
    expect(await last(merge, ['a', 'b', 'dir', '-x'])).to.deep.equal({
      a: three,
      b: three,
      dir: merge,
      '-x': four,
    });
    expect(await last(merge, ['dir/c', 'dir/d'])).to.deep.equal({ 'dir/c': four, 'dir/d': side });
    expect(await last(two, ['a', 'b'])).to.deep.equal({ a: one, b: two });
    expect(await last(four, ['a', 'dir/c', 'none', '../x', '*'])).to.deep.equal({ a: three, 'dir/c': four });
    expect(await last(four, ['a'])).to.deep.equal({ a: three });
    expect(await last(four, [])).to.deep.equal({});
  });

  it('finds the last commits of files as git does, alone and in lists, whatever they are called', async () => {
    const { git } = at;
    await git.create(8, { defaultBranch: 'main' });
    let count = 0;
    const commit = (files: Record<string, string>, minutes: number, parents?: string[]) =>
      commitFiles(git, 8, files, {
        at: minute(minutes),
        branch: `topic-${++count}`,
        ...(parents && { parents }),
      });
    const root = await commit({ same: '1', 'dir/same': '1', 'dir/b': '1', b: '1', '\x01': '1', z: '1' }, 1);
    const early = await commit({ same: '2', 'dir/same': '2' }, 2, [root]);
    const late = await commit({ same: '2', 'dir/same': '2', 'dir/b': '2', b: '2' }, 3, [root]);
    const both = await commit({ same: '2', 'dir/same': '2', 'dir/b': '2', b: '2' }, 4, [early, late]);
    const odd = await commit({ '\x01': '2' }, 5, [both]);
    const brought = await commit({ 'new/a': '1', 'new/b': '1' }, 6, [odd, late]);
    const skewed = await commit({ 'new/b': '2' }, 0, [brought]);
    const asked = ['same', 'dir', 'b', '\x01', 'z', 'dir/same', 'dir/b', 'new/a', 'new/b', 'new'];
    const folders = [
      ['same', 'dir', 'b', '\x01', 'z', 'new'],
      ['dir/same', 'dir/b'],
      ['new/a', 'new/b'],
      asked,
    ];
    for (const list of folders) {
      const found = await git.lastCommits(8, skewed, list);
      for (const each of list) {
        const path = git.pathOf(8);
        const expected = await realHash(path, ['rev-list', '-1', skewed, '--', each]);
        expect(found.get(each), `${JSON.stringify(each)} of ${list.length}`).to.equal(expected);
        expect(await git.lastCommits(8, skewed, [each])).to.deep.equal(new Map([[each, expected]]));
      }
    }
    expect((await git.lastCommits(8, both, ['same', 'b'])).get('same')).to.equal(early);

    const base = await commit({ x: '1', y: '1', same: '1' }, 1);
    const under = await commit({ x: '2', y: '2', z: '1' }, 9, [base]);
    const right = await commit({ z: '2' }, 10, [under]);
    const wrongClock = await commit({ w: '1' }, 0, [under]);
    const top = await commit({ z: '2', 'new/a': '1', 'new/b': '1' }, 11, [wrongClock, right]);
    expect(await git.lastCommits(8, top, ['x', 'y', 'z', 'x', 'new', 'same'])).to.deep.equal(
      new Map([
        ['new', top],
        ['z', right],
        ['same', base],
        ['x', under],
        ['y', under],
      ]),
    );
  });

  it('counts what a commit changed', async () => {
    const { git } = at;
    const changed = async (commit: string) => (await git.changedFiles(1, [commit])).get(commit);
    expect(await changed(three)).to.deep.equal({
      files: [
        { path: 'a', status: 'modified', additions: 1, deletions: 1 },
        { path: 'b', status: 'modified', additions: 2, deletions: 1 },
      ],
      total: 2,
      additions: 3,
      deletions: 2,
    });
    expect(await changed(one)).to.deep.include({
      files: [{ path: 'a', status: 'added', additions: 1, deletions: 0 }],
    });
    const gone = await commitFiles(
      git,
      1,
      { a: null, 'bin ary': 'x\0y' },
      { branch: 'other', parents: [three] },
    );
    expect((await changed(gone))?.files).to.deep.equal([
      { path: 'a', status: 'removed', additions: 0, deletions: 1 },
      { path: 'bin ary', status: 'added', additions: 0, deletions: 0 },
    ]);
    expect((await changed(merge))?.files).to.deep.equal([
      { path: 'dir/d', status: 'added', additions: 1, deletions: 0 },
    ]);
  });

  it('counts what many commits changed, whether or not it is anything, and leaves out what is missing', async () => {
    const { git } = at;
    let parent = three;
    const each = new Map<string, number>();
    for (let index = 0; index < 25; index += 1) {
      const files: Record<string, string> = index % 5 === 0 ? {} : { [`:${parent}`]: 'x\n', [parent]: 'y\n' };
      parent = await commitFiles(git, 1, files, { branch: 'many', parents: [parent] });
      each.set(parent, Object.keys(files).length);
    }
    const asked = [...each.keys(), '1'.repeat(40)];
    const changed = await git.changedFiles(1, asked);
    expect(new Map([...changed].map(([hash, { total }]) => [hash, total]))).to.deep.equal(each);
    expect(changed.get(parent)?.files.map(({ path, additions }) => [path.length, additions])).to.deep.equal([
      [40, 1],
      [41, 1],
    ]);
  });

  it('lists 3,000 files at most, and counts them all', async () => {
    const { git } = at;
    const many = Array.from({ length: 3_001 }, (_, index) => [String(index), 'x\n'] as const);
    const commit = await commitFiles(git, 1, Object.fromEntries(many), { branch: 'wide', parents: [three] });
    const { files = [], ...counted } = (await git.changedFiles(1, [commit])).get(commit) ?? {};
    expect(files).to.have.length(3_000);
    expect(counted).to.deep.equal({ total: 3_001, additions: 3_001, deletions: 0 });
  });

  it('lists a megabyte of paths at most, and counts them all', async () => {
    const { git } = at;
    const folder = Array.from({ length: 15 }, () => 'p'.repeat(250)).join('/');
    const long = Array.from({ length: 300 }, (_, index) => [`${folder}/${index}`, ''] as const);
    const commit = await commitFiles(git, 1, Object.fromEntries(long), { branch: 'long', parents: [three] });
    const { files = [], total } = (await git.changedFiles(1, [commit])).get(commit) ?? {};
    expect(total).to.equal(300);
    expect(files.reduce((bytes, { path }) => bytes + path.length, 0)).to.be.within(1_000_000, 1_048_576);
  });

  it('does not count lines that are too many to compare, but those of other commits and files', async () => {
    const { git } = at;
    const numbers = Array.from({ length: 3_500_000 }, (_, index) => String(index));
    const commit = (lines: readonly string[], few: string, parent: string) =>
      commitFiles(git, 1, { few, many: `${lines.join('\n')}\n` }, { branch: 'lines', parents: [parent] });
    const before = await commit(numbers, 'x\n', three);
    const rewritten = await commit(numbers.reverse(), 'x\nx\n', before);
    const changed = await git.changedFiles(1, [before, rewritten]);
    expect(changed.get(before)).to.include({ additions: 3_500_001 });
    expect(changed.get(rewritten)?.files).to.deep.equal([
      { path: 'few', status: 'modified', additions: 1, deletions: 0 },
      { path: 'many', status: 'modified', additions: 0, deletions: 0 },
    ]);
  });

  it('neither compares nor counts on once it is stopped', async () => {
    const { git } = at;
    const enough = new Error('enough');
    const signal = AbortSignal.abort(enough);
    expect(await refusal(git.changedFiles(1, [four], signal))).to.equal(enough);
    expect(await refusal(git.newCommits(1, two, four, 19, signal))).to.equal(enough);
  });

  it('writes a commit as a diff and as a mail', async () => {
    const diff = String(await read(await at.git.diff(1, three, 'diff')));
    expect(diff)
      .to.match(/^diff --git a\/a b\/a\nindex [0-9a-f]{7}\.\.[0-9a-f]{7} 100644\n/)
      .and.to.contain('-1\n+2\n');
    expect(String(await read(await at.git.diff(1, one, 'diff')))).to.contain('new file mode 100644');
    const moved = await commitFiles(
      at.git,
      1,
      { b: null, c: '2\n2\n' },
      { branch: 'moved', parents: [three] },
    );
    expect(String(await read(await at.git.diff(1, moved, 'diff')))).to.contain(
      'rename from b\nrename to c\n',
    );
    const patch = String(await read(await at.git.diff(1, three, 'patch')));
    expect(patch)
      .to.match(new RegExp(`^From ${three} `))
      .and.to.contain('Subject: [PATCH] Change a, b\n');
    const first = String(await read(await at.git.diff(1, one, 'patch')));
    expect(first.match(/^From [0-9a-f]{40} /gm)).to.deep.equal([`From ${one} `]);
    const merged = String(await read(await at.git.diff(1, merge, 'patch')));
    expect(merged.match(/^From [0-9a-f]{40} /gm), 'what a merge brought').to.deep.equal([`From ${side} `]);
    expect(await realGit(path, ['apply', '--numstat', '-'], diff)).to.equal('1\t1\ta\n2\t1\tb\n');
    expect(await refusal(at.git.diff(1, '1'.repeat(40), 'diff'))).to.be.instanceOf(GitError);
    const dated = (await realGit(path, ['cat-file', 'commit', three])).replace(/> .*/g, '> 0 -0500'); // git prints no such time
    const early = await realHash(path, ['hash-object', '-t', 'commit', '-w', '--stdin'], dated);
    expect(await refusal(at.git.diff(1, early, 'patch'))).to.be.instanceOf(GitError);
    const nothing = await commitFiles(at.git, 1, {}, { at: minute(7), parents: [merge] });
    expect(String(await read(await at.git.diff(1, nothing, 'diff')))).to.equal('');
  });

  it('reads on while diffs wait for those who asked for them', async () => {
    const lines = 'a line\n'.repeat(2 ** 18);
    const large = await commitFiles(at.git, 1, { large: lines }, { branch: 'large', parents: [one] });
    const diffs = await Promise.all(Array.from({ length: 16 }, () => at.git.diff(1, large, 'diff')));
    expect(await at.git.types(1, [large])).to.deep.equal(new Map([[large, 'commit']]));
    for (const diff of diffs) diff.destroy();
  });

  it('fails before a diff begins where git fails at once', async () => {
    const { git } = at;
    await git.create(2, { defaultBranch: 'main' });
    const lost = await commitFiles(git, 2, { a: '1\n' }, { at: minute(1) });
    const blob = await realHash(git.pathOf(2), ['rev-parse', `${lost}:a`]);
    await rm(join(git.pathOf(2), 'objects', blob.slice(0, 2), blob.slice(2)));
    expect(await refusal(git.diff(2, lost, 'diff'))).to.be.instanceOf(GitError);
  });

  it('says that a repository has no such commits', async () => {
    const absent = '1'.repeat(40);
    expect(await refusal(at.git.history(1, { from: absent, offset: 0, limit: 1 }))).to.be.instanceOf(
      GitError,
    );
    expect(await refusal(at.git.isAncestor(1, absent, one))).to.be.instanceOf(GitError);
  });
});
