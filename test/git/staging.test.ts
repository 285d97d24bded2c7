import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GitError,
  GitLimitExceeded,
  GitPathRefused,
  GitRepositoryMissing,
} from '../../src/git/port/errors.js';
import type { CommitFacts } from '../../src/git/port/objects.js';
import type { ObjectWriter, TreeChange } from '../../src/git/port/staging.js';
import { GitProgram } from '../../src/git/program/git-program.js';
import { copyTree } from '../../src/git/staging/copy-tree.js';
import { runProgram } from '../support/process.js';
import {
  ageGarbage,
  commitFiles,
  realGit,
  realHash,
  refusal,
  repositories,
  somebody,
  type Repositories,
} from './repositories.js';

describe('git: staging', () => {
  let at: Repositories;
  let base: string;
  let blob: string;
  before(async () => {
    at = await repositories();
    await at.git.create(1, { defaultBranch: 'main' });
    const commit = await commitFiles(at.git, 1, { 'dir/a': '1', 'dir/b': '2', file: '3', 'x/y/z': '4' });
    base = (await at.git.commit(1, commit))?.tree ?? '';
    blob = await realHash(at.git.pathOf(1), ['rev-parse', 'main:file']);
  });
  after(() => at.remove());

  const put = (path: string, mode: '100644' | '120000' | '160000' = '100644'): TreeChange => ({
    kind: 'put',
    path,
    mode,
    hash: blob,
  });
  const remove = (path: string): TreeChange => ({ kind: 'remove', path });

  /** The paths of what comes of changes. */
  const edit = async (...changes: TreeChange[]) => {
    const staging = await at.git.stage(1);
    try {
      const tree = await staging.writeTree(base, changes);
      return (await realGit(staging.path, ['ls-tree', '-r', '--name-only', '-z', tree]))
        .split('\0')
        .slice(0, -1);
    } finally {
      await staging.discard();
    }
  };

  describe('trees', () => {
    it('put, replace and remove files, with the directories that they need', async () => {
      expect(await edit()).to.deep.equal(['dir/a', 'dir/b', 'file', 'x/y/z']);
      expect(await edit(put('new/deep/er'), put('file'), put('dir/c'))).to.deep.equal([
        'dir/a',
        'dir/b',
        'dir/c',
        'file',
        'new/deep/er',
        'x/y/z',
      ]);
      expect(await edit(remove('x/y/z'), remove('dir/a'))).to.deep.equal(['dir/b', 'file']);
    });

    it('apply changes in their order', async () => {
      expect(await edit(remove('file'), put('file/in/it'))).to.include('file/in/it');
      expect(await edit(remove('x/y/z'), put('x'))).to.include('x');
      expect(await edit(put('n/m'), remove('n/m'), put('n'))).to.include('n');
      expect(await edit(remove('dir/a'), remove('dir/b'), remove('file'), remove('x/y/z'))).to.deep.equal([]);
    });

    it('take names as odd as git takes them', async () => {
      const odd = ['-x', '.gitignore', 'a\nb', 'git', '.github/x', ':x', 'ä/ö', '*', 'x.git/HEAD', '...'];
      expect(await edit(...odd.map((path) => put(path)))).to.include.members(odd);
    });

    it('refuse paths that cannot be', async () => {
      const bad = [
        '',
        '/',
        '/a',
        'a/',
        'a//b',
        '.',
        '..',
        'a/./b',
        'a/../b',
        'a\\b',
        'a\0b',
        'x'.repeat(256),
        '.git',
        '.GIT',
        '.Git/config',
        'a/.git',
        'a/.gIt/hooks/x',
        '.git.',
        '.git ',
        '.git . .',
        'git~1',
        'GIT~1/x',
        'git~2',
        '.g\u200cit',
        '\ufeff.git',
        '.git\u202e',
        '.gi\u0307t'.normalize().replace('\u0307', '\u200d'),
        '.gıt',
        '．ｇｉｔ',
        '.git::$INDEX_ALLOCATION',
        '.git:x',
        '\ud800',
        `${'a/'.repeat(3000)}a`,
      ];
      for (const path of bad) {
        const error = await refusal(edit(put(path)));
        expect(error, JSON.stringify(path))
          .to.be.instanceOf(GitPathRefused)
          .with.property('reason', 'invalid');
      }
      for (const path of ['.gitmodules', 'a/.GITMODULES', '.gitattributes'])
        expect(await refusal(edit(put(path, '120000')))).to.include({ reason: 'invalid' });
    });

    it('refuse what git reads itself and takes from nobody', async () => {
      const submodule = (name: string, rest: string) => `[submodule "${name}"]\n\tpath = x\n\t${rest}\n`;
      const option = submodule('x', 'url = --upload-pack=x');
      const sound = submodule('x', 'url = https://example.com/x.git');
      const write = async (path: string, content: string) => {
        const staging = await at.git.stage(1);
        try {
          const hash = await staging.writeBlob(Buffer.from(content));
          await staging.writeTree(base, [put('file'), { kind: 'put', path, mode: '100644', hash }]);
        } finally {
          await staging.discard();
        }
      };
      for (const path of ['.gitmodules', 'a/.GitModules', 'a/b/gitmod~1', '.git\u200cmodules']) {
        expect(await refusal(write(path, option)), path).to.deep.include({ path, reason: 'flawed' });
        await write(path, sound);
        await write(path, '');
      }
      expect(await refusal(write('.gitmodules', submodule('../x', '')))).to.include({ reason: 'flawed' });
      for (const attributes of [`${'a'.repeat(3000)} text`, '\n'.repeat(32 * 1024 * 1024 + 1)])
        expect(await refusal(write('.gitattributes', attributes))).to.include({ reason: 'flawed' });
      for (const path of [
        '.gitmodules/x',
        'a/.GitAttributes/b/x',
        'gitmod~1/.gitmodules',
        'gitabc~1/.gitmodules/x',
      ])
        expect(await refusal(write(path, sound)), path).to.deep.include({ path, reason: 'flawed' });
      for (const path of [
        '.gitignore',
        '.gitattributes.txt',
        'gitmodules',
        '.gitmodules.d/x',
        '.gitignore/x',
      ])
        await write(path, sound);
      expect(await readdir(join(at.folder, 'staging'))).to.deep.equal([]);
    });

    it('refuse to edit a directory of some million names, wherever it is', async () => {
      const names = Array.from({ length: 9_000 }, (_, nth) => `${nth}`.padStart(4_000, '0'));
      const content = names.map((name) => [`100644 ${name}\0`, Buffer.from(blob, 'hex')]).flat();
      const written = Buffer.concat(content.map((part) => Buffer.from(part)));
      const large = await realHash(at.git.pathOf(1), ['hash-object', '-t', 'tree', '-w', '--stdin'], written);
      const outer = await realHash(at.git.pathOf(1), ['mktree', '-z'], `040000 tree ${large}\ta\nb\0`);
      for (const [tree, changes] of [
        [large, [put('c')]],
        [outer, [put('a\nb/c')]],
        [outer, [remove(`a\nb/${names[0] ?? ''}`)]],
      ] as const) {
        const staging = await at.git.stage(1);
        expect(await refusal(staging.writeTree(tree, changes))).to.be.instanceOf(GitLimitExceeded);
        await staging.discard();
      }
      const staging = await at.git.stage(1);
      expect(await staging.writeTree(outer, [put('c'), put('d\ne/f')])).to.match(/^[0-9a-f]{40}$/);
      await staging.discard();
    });

    it('refuse what collides with what is there, or is not there', async () => {
      expect(await refusal(edit(put('file/below')))).to.include({ reason: 'parent-is-no-directory' });
      expect(await refusal(edit(put('l', '120000'), put('l/below')))).to.include({
        reason: 'parent-is-no-directory',
      });
      expect(await refusal(edit(put('m', '160000'), put('m/below')))).to.include({
        reason: 'parent-is-no-directory',
      });
      expect(await refusal(edit(remove('file/below')))).to.include({ reason: 'parent-is-no-directory' });
      expect(await refusal(edit(put('dir')))).to.include({ reason: 'is-a-directory' });
      expect(await refusal(edit(put('n/m'), put('n')))).to.include({ reason: 'is-a-directory' });
      expect(await refusal(edit(remove('dir')))).to.include({ reason: 'is-a-directory' });
      expect(await refusal(edit(remove('none')))).to.include({ reason: 'absent' });
      expect(await refusal(edit(remove('none/at/all')))).to.include({ reason: 'absent' });
      expect(await refusal(edit(remove('file'), remove('file')))).to.include({ reason: 'absent' });
    });
  });

  it('brings no repository back that is gone', async () => {
    await at.git.create(7, { defaultBranch: 'main' });
    const staging = await at.git.stage(7);
    await staging.writeBlob(Buffer.from('too late'));
    await at.git.remove(7);
    expect(await refusal(staging.publish())).to.be.instanceOf(GitRepositoryMissing);
    await staging.discard();
    expect(existsSync(at.git.pathOf(7))).to.equal(false);
  });

  it('shows nothing in the repository before it is published, and nothing ever once discarded', async () => {
    const before = await at.git.sizeOf(1);
    const staging = await at.git.stage(1);
    const hash = await staging.writeBlob(Buffer.from('not yet'));
    expect(await at.git.blob(1, hash, 100)).to.equal(undefined);
    expect(await at.git.sizeOf(1)).to.equal(before);
    await staging.discard();
    await staging.discard();
    expect(await at.git.blob(1, hash, 100)).to.equal(undefined);
    expect(await readdir(join(at.folder, 'staging'))).to.deep.equal([]);
  });

  it('says beforehand by how much the repository grows', async () => {
    const before = await at.git.sizeOf(1);
    const staging = await at.git.stage(1);
    const hash = await staging.writeBlob(Buffer.from('to be counted'));
    await staging.writeBlob(Buffer.from('1')); // is there already
    const bytes = await staging.bytes();
    await staging.publish();
    expect(await at.git.sizeOf(1)).to.equal(before + bytes);
    expect(await at.git.blob(1, hash, 100)).to.deep.include({ content: Buffer.from('to be counted') });
    await staging.discard();
  });

  it('writes blobs of any bytes', async () => {
    const staging = await at.git.stage(1);
    for (const content of [
      Buffer.alloc(0),
      Buffer.from([0, 255, 10, 13, 0]),
      Buffer.alloc(3_000_000, 7).subarray(1),
    ]) {
      const hash = await staging.writeBlob(content);
      expect(await realHash(staging.path, ['hash-object', '--stdin'], content)).to.equal(hash);
    }
    await staging.publish();
  });

  it('writes a message with any number of blank lines in it, in a time that grows with their number', async () => {
    const staging = await at.git.stage(1);
    const message = `a${'\n'.repeat(1_000_000)}b`;
    const people = { author: somebody, committer: somebody };
    const said = await staging.writeCommit({ tree: base, parents: [], ...people, message: `${message}\n\n` });
    expect(said.message === `${message}\n`).to.equal(true);
    await staging.discard();
  });

  it('writes commits and tags that git finds sound, whatever people are called', async () => {
    const people = [
      { name: 'Ann <x> Other\n', email: 'a\n<b>@c', at: '2026-01-31T12:00:00-03:30' },
      { name: ' . ', email: '', at: '1999-12-31T23:59:59.999Z' },
    ];
    const staging = await at.git.stage(1);
    const written: CommitFacts[] = [];
    for (const author of people) {
      const { hash: object, ...said } = await staging.writeCommit({
        tree: base,
        parents: [],
        author,
        committer: somebody,
        message: 'Ünd\0\n\n\n',
      });
      const tag = await staging.writeTag({
        name: 'v2',
        object: { type: 'commit', hash: object },
        tagger: author,
        message: 'M',
      });
      expect(said.message).to.equal('Ünd\n');
      written.push({ hash: object, ...said });
      await realGit(staging.path, ['fsck', '--strict', tag]);
      expect(await realGit(staging.path, ['log', '-1', '--format=%B', tag])).to.equal('Ünd\n\n');
    }
    await staging.publish();
    expect(
      await at.git.commits(
        1,
        written.map(({ hash }) => hash),
      ),
      'as they are read',
    ).to.deep.equal(written);
    const commit = await realGit(at.git.pathOf(1), ['cat-file', '--batch-all-objects', '--batch-check']);
    expect(commit.match(/ tag /g)).to.have.length(2);
  });

  it('publishes very many objects as one pack', async () => {
    const staging = await at.git.stage(1);
    const hashes: string[] = [];
    for (let index = 0; index < 250; index += 1)
      hashes.push(await staging.writeBlob(Buffer.from(`number ${index}`)));
    await staging.publish();
    expect((await at.git.types(1, hashes)).size).to.equal(250);
    const packs = await readdir(join(at.git.pathOf(1), 'objects/pack'));
    expect(packs.filter((name) => name.endsWith('.pack'))).to.have.length(1);
  });

  it('brings in a tree of another repository, and nothing of its history', async () => {
    const { git } = at;
    await git.create(2, { defaultBranch: 'main' });
    const older = await commitFiles(git, 2, { old: 'secret' });
    const commit = await commitFiles(git, 2, { old: null, a: '1', 'b/c': 'only there' });
    const tree = (await git.commit(2, commit))?.tree ?? '';
    await git.create(3, { defaultBranch: 'main' });
    const staging = await git.stage(3);
    await staging.copyTree(2, tree);
    const people = { author: somebody, committer: somebody };
    const { hash: copy } = await staging.writeCommit({ tree, parents: [], ...people, message: 'A copy' });
    expect(await staging.bytes()).to.satisfy((bytes: bigint) => bytes > 0n);
    await staging.publish();
    await realGit(git.pathOf(3), ['fsck', '--strict', copy]);
    expect(await git.entry(3, copy, 'b/c')).to.include({ size: 10 });
    expect(await git.commits(3, [older, commit])).to.deep.equal([]);

    const initial = async (objects: ObjectWriter) => {
      await objects.copyTree(2, tree);
      return await objects.writeCommit({ tree, parents: [], ...people, message: 'Another copy' });
    };
    await git.create(4, { defaultBranch: 'main', initial });
    await realGit(git.pathOf(4), ['fsck', '--strict', 'main']);

    const empty = await git.stage(3);
    expect(await refusal(empty.copyTree(2, '1'.repeat(40)))).to.be.instanceOf(GitError);
    expect(await refusal(empty.copyTree(2, '--all'))).to.be.instanceOf(GitError);
    await empty.discard();
  });

  it('brings in a tree, however long that takes, without a place of those that answer questions', async () => {
    const { git } = at;
    await git.create(5, { defaultBranch: 'main' });
    const commit = await commitFiles(git, 5, { a: '1' });
    const tree = (await git.commit(5, commit))?.tree ?? '';
    const program = new GitProgram({ home: join(at.folder, 'home') });
    const ask = (id: number) => program.start('short', git.pathOf(id), ['cat-file', '--batch']);
    const asking = await Promise.all([1, 5].flatMap((id) => Array.from({ length: 8 }, () => ask(id))));
    const staging = await git.stage(1);
    await copyTree(program, { base: git.pathOf(5), tree, path: staging.path });
    expect(await staging.bytes()).to.satisfy((bytes: bigint) => bytes > 0n);
    await staging.discard();
    for (const { stdin } of asking) stdin.end();
    await Promise.all(asking.map(({ ended }) => ended));
  });

  it('leaves nothing where too many files are open to begin one', async () => {
    const starving = runProgram('test/git/starving-staging-process.js', [], {});
    await starving.ended();
    expect(starving.output()).to.equal('EMFILE EMFILE 0\n');
  });

  it('tells of a disk that takes only a part of a file as of one without room', async () => {
    const cutShort = runProgram('test/git/cut-short-process.js', [], {});
    await cutShort.ended();
    expect(cutShort.output()).to.equal('no room\n');
  });

  describe('keeps what comes back, while the repository drops it as garbage,', () => {
    const [id, main, side] = [41, 'refs/heads/main', 'refs/heads/side'];
    const content = Buffer.from('it goes, and comes back');
    let copy: string;
    let first: string;
    let gone: string;

    beforeEach(async () => {
      const { git, elsewhere } = at;
      copy = join(elsewhere, 'copy.git');
      await git.create(id, { defaultBranch: 'main' });
      first = await commitFiles(git, id, { a: '1' });
      const onSide = { branch: 'side', parents: [first] };
      gone = await commitFiles(git, id, { 'dir/b': content.toString() }, onSide);
      await realGit(elsewhere, ['clone', '-q', '--bare', '--no-hardlinks', git.pathOf(id), copy]);
      await (await git.prepareRefs(id, [{ ref: side, before: gone, after: null }])).commit();
      await git.gc(id);
      await ageGarbage(git.pathOf(id));
    });

    afterEach(async () => {
      await at.git.remove(id);
      await rm(copy, { recursive: true });
    });

    const soundness = () => realGit(at.git.pathOf(id), ['fsck', '--full', '--no-dangling']);

    it('in a file that is written', async () => {
      const { git } = at;
      const staging = await git.stage(id);
      const hash = await staging.writeBlob(content);
      const change = { kind: 'put', path: 'dir/b', mode: '100644', hash } as const;
      const tree = await staging.writeTree((await git.commit(id, first))?.tree, [change]);
      const people = { author: somebody, committer: somebody };
      const commit = await staging.writeCommit({ tree, parents: [first], ...people, message: 'Again' });
      const bytes = await staging.bytes();
      await git.gc(id);
      const before = await git.sizeOf(id);
      await staging.publish();
      expect(await git.sizeOf(id)).to.equal(before + bytes);
      await (await git.prepareRefs(id, [{ ref: main, before: first, after: commit.hash }])).commit();
      expect(await git.blob(id, hash, 100)).to.deep.include({ content });
      expect(await soundness()).to.equal('');
    });

    it('in a branch that is fetched', async () => {
      const { git } = at;
      const staging = await git.stage(id);
      await realGit(staging.path, ['fetch', '-q', copy, '+refs/heads/*:refs/heads/*']);
      await staging.bytes();
      await git.gc(id);
      await staging.publish();
      await (await git.prepareRefs(id, [{ ref: side, before: null, after: gone }])).commit();
      expect(await soundness()).to.equal('');
    });

    it('and refuses what is dropped before it is kept', async () => {
      const { git } = at;
      const staging = await git.stage(id);
      const hash = await staging.writeBlob(content);
      const tree = await staging.writeTree(undefined, [{ kind: 'put', path: 'b', mode: '100644', hash }]);
      const people = { author: somebody, committer: somebody };
      await staging.writeCommit({ tree, parents: [first], ...people, message: 'Again' });
      await git.gc(id);
      expect(await refusal(staging.bytes())).to.be.instanceOf(GitError);
      await staging.discard();
    });
  });

  it('publishes what programs put there', async () => {
    const staging = await at.git.stage(1);
    const hash = await realHash(staging.path, ['hash-object', '-w', '--stdin'], 'by a program');
    await staging.publish();
    expect(await at.git.blob(1, hash, 100)).to.include({ size: 12 });
  });
});
