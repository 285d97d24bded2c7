import { expect } from 'chai';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { GitRefsBusy, GitRefsRefused } from '../../src/git/port/errors.js';
import type { GitProgram } from '../../src/git/program/git-program.js';
import { prepare } from '../../src/git/refs/prepare.js';
import { commitFiles, realGit, realHash, refusal, repositories, type Repositories } from './repositories.js';

describe('git: refs', () => {
  let at: Repositories;
  let first: string;
  let second: string;
  before(async () => {
    at = await repositories();
    await at.git.create(1, { defaultBranch: 'main' });
    first = await commitFiles(at.git, 1, { a: '1' });
    second = await commitFiles(at.git, 1, { a: '2' });
  });
  after(() => at.remove());

  const refs = async () => Object.fromEntries(await at.git.refs(1));
  const move = async (ref: string, before: string | null, after: string | null) => {
    const prepared = await at.git.prepareRefs(1, [{ ref, before, after }]);
    await prepared.commit();
  };

  describe('moving them', () => {
    it('creates, moves and deletes, all or none, when committed', async () => {
      const prepared = await at.git.prepareRefs(1, [
        { ref: 'refs/heads/one', before: null, after: first },
        { ref: 'refs/heads/-two', before: null, after: first },
        { ref: 'refs/heads/main', before: second, after: second },
      ]);
      expect(await refs()).to.deep.equal({ 'refs/heads/main': second });
      await prepared.commit();
      expect(await refs()).to.deep.equal({
        'refs/heads/main': second,
        'refs/heads/one': first,
        'refs/heads/-two': first,
      });
      await move('refs/heads/one', first, second);
      await move('refs/heads/-two', first, null);
      expect(await refs()).to.deep.equal({ 'refs/heads/main': second, 'refs/heads/one': second });
      await move('refs/heads/one', second, null);
    });

    it('puts one in the place of another whose name is a folder of it, or the other way around', async () => {
      await move('refs/heads/df', null, first);
      const changes = [
        { ref: 'refs/heads/df/x', before: null, after: first },
        { ref: 'refs/heads/df', before: first, after: null },
      ];
      const all = { 'refs/heads/main': second, 'refs/heads/df': first };
      await (await at.git.prepareRefs(1, changes)).abort();
      expect(await refs()).to.deep.equal(all);
      await (await at.git.prepareRefs(1, changes)).commit();
      expect(await refs()).to.deep.equal({ 'refs/heads/main': second, 'refs/heads/df/x': first });
      const back = changes.map(({ ref, before, after }) => ({ ref, before: after, after: before }));
      await (await at.git.prepareRefs(1, back)).commit();
      expect(await refs()).to.deep.equal(all);
      await move('refs/heads/df', first, null);
    });

    it('leaves everything as it was when it is given up', async () => {
      const prepared = await at.git.prepareRefs(1, [
        { ref: 'refs/heads/main', before: second, after: first },
      ]);
      await prepared.abort();
      expect(await refs()).to.deep.equal({ 'refs/heads/main': second });
      await move('refs/heads/main', second, second);
    });

    it('refuses what moved meanwhile, collides, or cannot be', async () => {
      const refused: [string, string | null, string | null][] = [
        ['refs/heads/main', first, second],
        ['refs/heads/main', null, second],
        ['refs/heads/none', second, null],
        ['refs/heads/main/below', null, second],
        ['refs/heads/a..b', null, second],
        ['refs/heads/', null, second],
        ['refs/heads/x', null, '1'.repeat(40)],
        ['refs/heads/x', null, '--help'],
        ['HEAD', null, second],
        ['config', null, second],
        ['refs/../config', null, second],
        ['refs/heads/x\0y', null, second],
        ['-d', null, second],
      ];
      for (const [ref, before, after] of refused)
        expect(await refusal(at.git.prepareRefs(1, [{ ref, before, after }])), ref)
          .to.be.instanceOf(GitRefsRefused)
          .and.not.instanceOf(GitRefsBusy);
      expect(await refs()).to.deep.equal({ 'refs/heads/main': second });
    });

    it('lets one of two at a time have a ref', async () => {
      const prepared = await at.git.prepareRefs(1, [
        { ref: 'refs/heads/main', before: second, after: first },
      ]);
      const change = { ref: 'refs/heads/main', before: second, after: first };
      expect(await refusal(at.git.prepareRefs(1, [change]))).to.be.instanceOf(GitRefsBusy);
      await prepared.abort();
    });

    it('takes over locks that a crash left long ago, or by a clock that was ahead', async () => {
      const lock = join(at.git.pathOf(1), 'refs/heads/main.lock');
      const change = { ref: 'refs/heads/main', before: second, after: second };
      for (const awayMs of [-60_000, 3_600_000]) {
        await writeFile(lock, '');
        expect(await refusal(at.git.prepareRefs(1, [change]))).to.be.instanceOf(GitRefsBusy);
        const away = new Date(Date.now() + awayMs);
        await utimes(lock, away, away);
        await (await at.git.prepareRefs(1, [change])).commit();
      }
    });

    it('takes over packed refs that a crash left half written', async () => {
      const path = at.git.pathOf(1);
      await realGit(path, ['update-ref', 'refs/tags/packed', first]);
      await realGit(path, ['pack-refs', '--all']);
      const half = join(path, 'packed-refs.new');
      const change = { ref: 'refs/tags/packed', before: first, after: null };
      await writeFile(half, '');
      expect(await refusal(at.git.prepareRefs(1, [change]))).to.be.instanceOf(GitRefsBusy);
      await utimes(half, 0, 0);
      await (await at.git.prepareRefs(1, [change])).commit();
      await writeFile(half, '');
      await at.git.mendRefs(1);
      await realGit(path, ['pack-refs', '--all']);
      expect(await refs()).to.deep.equal({ 'refs/heads/main': second });
    });

    it('are mended where a power failure left files without a hash', async () => {
      const path = at.git.pathOf(1);
      await mkdir(join(path, 'refs/tags'), { recursive: true });
      const lost = new Map([
        ['refs/tags/empty', ''],
        ['refs/tags/zeros', '\0'.repeat(41)],
      ]);
      for (const [ref, content] of lost) await writeFile(join(path, ref), content);
      const changes = Array.from(lost.keys(), (ref) => ({ ref, before: null, after: first }));
      expect(await refusal(at.git.prepareRefs(1, changes))).to.be.instanceOf(GitRefsRefused);
      await at.git.mendRefs(1);
      await (await at.git.prepareRefs(1, changes)).commit();
      const back = changes.map(({ ref }) => ({ ref, before: first, after: null }));
      await (await at.git.prepareRefs(1, back)).commit();
      expect(await refs()).to.deep.equal({ 'refs/heads/main': second });
    });

    it('tells what the disk does not take now from what can never be', async () => {
      for (const [said, kind] of [
        ["fatal: prepare: cannot update ref 'refs/heads/x': couldn't write '/x.lock'", 'GitRefsBusy'],
        ["Unable to create '/x.lock': No space left on device", 'GitRefsBusy'],
        ["Unable to create '/x.lock': File name too long", 'GitRefsRefused'],
      ] as const) {
        const program = {
          start: () =>
            Promise.resolve({
              stdin: new PassThrough(),
              stdout: new PassThrough(),
              ended: Promise.resolve({ stderr: said }),
            }),
        } as unknown as GitProgram;
        const change = { ref: 'refs/heads/x', before: null, after: first };
        expect(await refusal(prepare(program, '/nowhere', [change]))).to.include({
          name: kind,
          message: said,
        });
      }
    });

    it('moves hundreds at once', async () => {
      const names = Array.from({ length: 400 }, (_, index) => `refs/tags/many/${index}`);
      await (
        await at.git.prepareRefs(
          1,
          names.map((ref) => ({ ref, before: null, after: first })),
        )
      ).commit();
      expect((await at.git.refs(1)).size).to.equal(401);
      await (
        await at.git.prepareRefs(
          1,
          names.map((ref) => ({ ref, before: first, after: null })),
        )
      ).commit();
      expect(await refs()).to.deep.equal({ 'refs/heads/main': second });
    });
  });

  describe('what a caller means', () => {
    const resolve = (revision: string) => at.git.resolve(1, revision);
    let tag: string;

    before(async () => {
      const path = at.git.pathOf(1);
      await realGit(path, ['tag', '-a', '-m', 'A tag', 'v1', first]);
      await realGit(path, ['tag', 'main', first]);
      await realGit(path, ['branch', '--', 'feature/x', first]);
      await realGit(path, ['tag', 'of-a-tree', `${first}^{tree}`]);
      await realGit(path, ['update-ref', 'refs/heads/-x', first]);
      tag = await realHash(path, ['rev-parse', 'v1']);
    });

    it('is a branch, else a tag, else a hash', async () => {
      expect(await resolve('main')).to.deep.equal({ hash: second, kind: 'branch', ref: 'refs/heads/main' });
      expect(await resolve('feature/x')).to.deep.equal({
        hash: first,
        kind: 'branch',
        ref: 'refs/heads/feature/x',
      });
      expect(await resolve('v1')).to.deep.equal({ hash: first, kind: 'tag', ref: 'refs/tags/v1' });
      expect(await resolve(first)).to.deep.equal({ hash: first, kind: 'commit' });
      expect(await resolve(first.toUpperCase())).to.deep.equal({ hash: first, kind: 'commit' });
      expect(await resolve(first.slice(0, 12))).to.deep.equal({ hash: first, kind: 'commit' });
      expect(await resolve(tag)).to.deep.equal({ hash: first, kind: 'commit' });
      expect(await resolve(tag.slice(0, 12))).to.deep.equal({ hash: first, kind: 'commit' });
      expect(await resolve('-x')).to.deep.equal({ hash: first, kind: 'branch', ref: 'refs/heads/-x' });
    });

    it('leads on by steps of git, and by no other words', async () => {
      const follow = (from: string, steps: string) => at.git.follow(1, from, steps);
      for (const steps of ['~1', '^', '~', '^1', '^{commit}~1', '~0^{}^'])
        expect(await follow(second, steps), steps).to.equal(first);
      for (const steps of [
        '',
        '~2',
        '^2',
        '^{tree}',
        '^{/Change}',
        '~1\n',
        '..main',
        '~1'.repeat(50),
        '@{0}',
      ])
        expect(await follow(second, steps), steps).to.equal(undefined);
      expect(await follow(tag, '^{}')).to.equal(first);
      expect(await follow('1'.repeat(40), '~1')).to.equal(undefined);
    });

    it('is nothing else', async () => {
      const tree = await realHash(at.git.pathOf(1), ['rev-parse', `${first}^{tree}`]);
      const nothing = [
        '',
        'mai',
        'HEAD',
        'refs/heads/main',
        'heads/main',
        'main~1',
        'main^{tree}',
        '@{0}',
        '@',
        ':/Change',
        'main..v1',
        '--all',
        '--output=/tmp/x',
        'main\0',
        'ma\nin',
        '../../config',
        'feature',
        'of-a-tree',
        tree,
        first.slice(0, 3),
        '1'.repeat(40),
        'é'.repeat(300),
        'a'.repeat(100_000),
      ];
      for (const revision of nothing)
        expect(await resolve(revision), revision.slice(0, 50)).to.equal(undefined);
    });

    it('is not a ref that merely looks like a hash', async () => {
      await realGit(at.git.pathOf(1), ['update-ref', 'refs/abcdef0', first]);
      expect(await resolve('abcdef0')).to.equal(undefined);
    });

    it('sees what was packed by another process', async () => {
      await realGit(at.git.pathOf(1), ['gc', '--quiet']);
      expect(await resolve('v1')).to.include({ hash: first });
      expect(await at.git.commit(1, second)).to.include({ hash: second });
    });

    it('is nothing where the repository is empty or broken', async () => {
      await at.git.create(2, { defaultBranch: 'main' });
      expect(await at.git.resolve(2, 'main')).to.equal(undefined);
      expect(await at.git.refs(2)).to.deep.equal(new Map());
      await commitFiles(at.git, 2, { a: '1' });
      await rm(join(at.git.pathOf(2), 'HEAD'));
      await writeFile(join(at.git.pathOf(2), 'HEAD'), 'ref: refs/heads/nowhere\n');
      expect(await at.git.resolve(2, 'nowhere')).to.equal(undefined);
      expect(await at.git.resolve(2, 'main')).to.include({ kind: 'branch' });
    });
  });
});
