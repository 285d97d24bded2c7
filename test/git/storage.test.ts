import { expect } from 'chai';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openGit } from '../../src/git/open-git.js';
import { GitRepositoryExists, GitRepositoryMissing } from '../../src/git/port/errors.js';
import { until } from '../support/process.js';
import {
  ageGarbage,
  commitFiles,
  pack,
  realGit,
  refusal,
  repositories,
  somebody,
  type Repositories,
} from './repositories.js';

describe('git: where repositories lie', () => {
  let at: Repositories;
  before(async () => {
    at = await repositories();
  });
  after(() => at.remove());

  it('makes a bare repository without hooks, whose HEAD is the default branch', async () => {
    const { git } = at;
    await git.create(1, { defaultBranch: 'trunk/of-it' });
    expect(git.pathOf(1)).to.equal(join(at.folder, '01', '1.git'));
    expect(await readFile(join(git.pathOf(1), 'HEAD'), 'utf8')).to.equal('ref: refs/heads/trunk/of-it\n');
    expect(await readdir(git.pathOf(1))).to.have.members(['HEAD', 'config', 'objects', 'refs']);
    expect(await realGit(git.pathOf(1), ['rev-parse', '--is-bare-repository'])).to.equal('true\n');
    expect(await git.head(1)).to.equal('trunk/of-it');
    expect(await git.exists(1)).to.be.true;
    expect(await git.exists(2)).to.be.false;
  });

  it('lets no other user of the machine look into the folder, one that was there before either', async () => {
    const folder = join(at.folder, 'of its own');
    const rights = async () => (await stat(folder)).mode & 0o777;
    await openGit({ folder });
    expect(await rights()).to.equal(0o700);
    await chmod(folder, 0o755);
    await openGit({ folder });
    expect(await rights(), 'its group may be let in').to.equal(0o750);
  });

  it('makes a repository with its first commit', async () => {
    const { git } = at;
    await git.create(300, {
      defaultBranch: 'main',
      async initial(objects) {
        const hash = await objects.writeBlob(Buffer.from('# Hello\n'));
        const tree = await objects.writeTree(undefined, [
          { kind: 'put', path: 'README.md', mode: '100644', hash },
        ]);
        return await objects.writeCommit({
          tree,
          parents: [],
          author: somebody,
          committer: somebody,
          message: 'First',
        });
      },
    });
    expect(git.pathOf(300)).to.equal(join(at.folder, '2c', '300.git'));
    expect(await realGit(git.pathOf(300), ['show', 'main:README.md'])).to.equal('# Hello\n');
    expect(await realGit(git.pathOf(300), ['fsck', '--strict'])).to.equal('');
  });

  it('takes whatever git takes for a default branch', async () => {
    for (const [index, defaultBranch] of ['a\u0085b', 'a\u2028b', 'ä'].entries()) {
      await at.git.create(80 + index, { defaultBranch });
      expect(await at.git.head(80 + index)).to.equal(defaultBranch);
      const hash = await commitFiles(at.git, 80 + index, { a: '1' }, { branch: defaultBranch });
      expect(await at.git.resolve(80 + index, defaultBranch)).to.include({ hash });
    }
  });

  it('refuses a default branch that would be more than a line of HEAD', async () => {
    await refusal(at.git.create(4, { defaultBranch: 'main\nref: x' }));
    expect(await at.git.exists(4)).to.be.false;
  });

  it('leaves nothing of a repository whose first commit could not be made', async () => {
    const initial = () => Promise.reject(new Error('no'));
    expect(await refusal(at.git.create(4, { defaultBranch: 'main', initial }))).to.have.property(
      'message',
      'no',
    );
    expect(await at.git.exists(4)).to.be.false;
    expect(await readdir(join(at.folder, 'staging'))).to.deep.equal([]);
  });

  it('refuses a second repository of one id, and leaves the first alone', async () => {
    const { git } = at;
    await git.create(5, { defaultBranch: 'main' });
    const hash = await commitFiles(git, 5, { a: '1' });
    expect(await refusal(git.create(5, { defaultBranch: 'other' }))).to.be.instanceOf(GitRepositoryExists);
    expect(await git.resolve(5, 'main')).to.include({ hash });
  });

  it('lists what is there, and not what was removed', async () => {
    const { git } = at;
    const ids = async () => {
      const all: number[] = [];
      for await (const id of git.ids()) all.push(id);
      return all.sort((a, b) => a - b);
    };
    const before = await ids();
    await git.create(6, { defaultBranch: 'main' });
    expect(await ids()).to.deep.equal([...before, 6].sort((a, b) => a - b));
    await git.remove(6);
    await git.remove(6);
    expect(await ids()).to.deep.equal(before);
    expect(await readdir(join(at.folder, 'staging'))).to.deep.equal([]);
  });

  it('measures the bytes of all regular files', async () => {
    const { git } = at;
    await git.create(7, { defaultBranch: 'main' });
    const empty = await git.sizeOf(7);
    await mkdir(join(git.pathOf(7), 'objects/pack'), { recursive: true });
    await writeFile(join(git.pathOf(7), 'objects/pack/some'), Buffer.alloc(1000));
    expect(await git.sizeOf(7)).to.equal(empty + 1000n);
  });

  it('counts refs whatever they are called, and nothing that a push has for its own time', async () => {
    const { git } = at;
    await git.create(14, { defaultBranch: 'main' });
    const path = git.pathOf(14);
    const commit = await commitFiles(git, 14, { a: '1' });
    const before = await git.sizeOf(14);
    for (const name of ['x.keep', 'tmp_objdir-x/y', 'shallow_x'])
      await realGit(path, ['update-ref', `refs/heads/${name}`, commit]);
    expect(await git.sizeOf(14)).to.equal(before + 123n);
    await mkdir(join(path, 'objects/tmp_objdir-incoming-1'));
    for (const name of ['tmp_objdir-incoming-1/some', `pack/pack-${commit}.keep`])
      await writeFile(join(path, 'objects', name), Buffer.alloc(1000));
    await writeFile(join(path, 'shallow_1a2B3c'), `${commit}\n`);
    expect(await git.sizeOf(14)).to.equal(before + 123n);
  });

  it('lets HEAD follow a branch, and refuses what can be none', async () => {
    const { git } = at;
    await git.create(8, { defaultBranch: 'main' });
    await git.setHead(8, 'not-yet/born');
    expect(await git.head(8)).to.equal('not-yet/born');
    for (const branch of ['a..b', '-x/../..', 'a b~', 'x\n', '']) await refusal(git.setHead(8, branch));
    await writeFile(join(git.pathOf(8), 'HEAD'), `${'1'.repeat(40)}\n`);
    expect(await git.head(8)).to.equal(undefined);
  });

  it('packs what is loose, and others go on reading', async () => {
    const { git } = at;
    const other = await openGit({ folder: at.folder });
    await git.create(9, { defaultBranch: 'main' });
    const first = await commitFiles(git, 9, { a: '1', 'b/c': '2' });
    await git.gc(9);
    const second = await commitFiles(git, 9, { a: '3' }, { parents: [first] });
    expect(await other.commit(9, second)).to.include({ hash: second });
    await Promise.all([git.gc(9), other.gc(9)]);
    expect(await realGit(git.pathOf(9), ['count-objects', '-v'])).to.match(/^count: 0\n[^]*packs: 1\n/);
    for (const one of [git, other])
      for (const hash of [first, second]) expect(await one.commit(9, hash)).to.include({ hash });
  });

  it('packs nothing while another begins to, and is not kept from it by one that was killed then', async () => {
    const { git } = at;
    await git.create(38, { defaultBranch: 'main' });
    await commitFiles(git, 38, { a: '1' });
    const lock = join(git.pathOf(38), 'gc.pid.lock');
    await writeFile(lock, '');
    await git.gc(38);
    expect(await realGit(git.pathOf(38), ['count-objects', '-v'])).to.match(/^count: 3\n/);
    const longAgo = new Date('2020-01-01');
    await utimes(lock, longAgo, longAgo);
    await git.gc(38);
    expect(await realGit(git.pathOf(38), ['count-objects', '-v'])).to.match(/^count: 0\n/);
    expect(existsSync(lock)).to.equal(false);
  });

  it('says when there is much to pack', async () => {
    const { git } = at;
    await git.create(10, { defaultBranch: 'main' });
    await commitFiles(git, 10, { a: '1' });
    expect(await git.hasMuchGarbage(10)).to.equal(false);
    await pack(git.pathOf(10), 51);
    expect(await git.hasMuchGarbage(10)).to.equal(true);
    await git.gc(10);
    expect(await git.hasMuchGarbage(10)).to.equal(false);
    const loose = join(git.pathOf(10), 'objects', '17');
    await mkdir(loose, { recursive: true });
    for (let object = 0; object < 27; object++)
      await writeFile(join(loose, String(object).padStart(38, '0')), '');
    expect(await git.hasMuchGarbage(10)).to.equal(true);
  });

  it('drops what nothing has reached for two weeks, since it was met so for the first time', async () => {
    const { git } = at;
    await git.create(12, { defaultBranch: 'main' });
    const path = git.pathOf(12);
    const packed = await commitFiles(git, 12, { a: '1' });
    await realGit(path, ['repack', '-a', '-d', '-q']);
    const loose = await commitFiles(git, 12, { a: '2' }, { parents: [packed] });
    const longAgo = new Date('2020-01-01');
    const age = async () => {
      for (const name of await readdir(join(path, 'objects'), { recursive: true }))
        if (/[0-9a-f]{38}(\.pack|\.mtimes)?$/.test(name))
          await utimes(join(path, 'objects', name), longAgo, longAgo);
    };
    await age();
    await (await git.prepareRefs(12, [{ ref: 'refs/heads/main', before: loose, after: null }])).commit();
    const areThere = async () => {
      const said = await realGit(path, ['cat-file', '--batch-check'], `${packed}\n${loose}\n`);
      return said
        .trimEnd()
        .split('\n')
        .map((line) => line.includes('commit'));
    };
    for (let run = 0; run < 2; run++) {
      await git.gc(12);
      expect(await areThere()).to.deep.equal([true, true]);
      await age();
    }
    await ageGarbage(path);
    await git.gc(12);
    expect(await areThere()).to.deep.equal([false, false]);
  });

  it('removes what a push that was killed had received, and nothing that one at work receives', async () => {
    const { git } = at;
    await git.create(16, { defaultBranch: 'main' });
    const [left, received] = ['left', 'received'].map((name) =>
      join(git.pathOf(16), 'objects', `tmp_objdir-incoming-${name}`),
    ) as [string, string];
    for (const folder of [left, received]) await mkdir(join(folder, 'pack'), { recursive: true });
    expect(await git.hasMuchGarbage(16)).to.equal(false);
    const longAgo = new Date('2020-01-01');
    await utimes(left, longAgo, longAgo);
    expect(await git.hasMuchGarbage(16)).to.equal(true);
    await git.gc(16);
    expect([left, received].map((folder) => existsSync(folder))).to.deep.equal([false, true]);
    expect(await git.hasMuchGarbage(16)).to.equal(false);
  });

  it('packs what a push that was killed had kept from that, and nothing that one at work keeps', async () => {
    const { git } = at;
    await git.create(15, { defaultBranch: 'main' });
    const path = git.pathOf(15);
    const folder = join(path, 'objects/pack');
    const packs = async () => (await readdir(folder)).filter((name) => name.endsWith('.pack'));
    const kept: string[] = [];
    const longAgo = new Date('2020-01-01');
    const { pid: dead } = spawnSync('true');
    for (const [by, isOld] of [
      [`${dead} on ${hostname()}`, false],
      ['1 on elsewhere', true],
      ['2 on elsewhere', false],
      [`${process.pid} on ${hostname()}`, false],
      [`${process.ppid} on ${hostname()}`, true], // another program has its number now
    ] as const) {
      await commitFiles(git, 15, { [by]: by });
      const before = await packs();
      await realGit(path, ['repack', '-q', '-d']);
      const [name = ''] = (await packs()).filter((each) => !before.includes(each));
      const keep = join(folder, name.replace('.pack', '.keep'));
      await writeFile(keep, `receive-pack ${by}\n`);
      if (isOld) await utimes(keep, longAgo, longAgo);
      kept.push(keep);
    }
    await git.gc(15);
    expect(kept.map((keep) => existsSync(keep))).to.deep.equal([false, false, true, true, false]);
    expect(await packs()).to.have.lengthOf(3);
  });

  it('leaves nothing of a collection that is given up, and does not count it meanwhile', async () => {
    const { git } = at;
    await git.create(13, { defaultBranch: 'main' });
    const path = git.pathOf(13);
    await commitFiles(git, 13, { a: '1' });
    const before = await git.sizeOf(13);
    const stalling = join(path, 'packed-refs');
    execFileSync('mkfifo', [stalling]); // git waits for what it says; of `refs`, git 2.47 reads regular files alone
    const stop = new AbortController();
    const collecting = git.gc(13, { signal: stop.signal }).catch((error: unknown) => error);
    await until(() => Promise.resolve(existsSync(join(path, 'gc.pid'))));
    const left = ['tmp_pack_AbCdEf', '.tmp-1-pack-0.idx'].map((name) => join(path, 'objects/pack', name));
    for (const file of left) await writeFile(file, Buffer.alloc(1000));
    expect(await git.sizeOf(13)).to.equal(before);
    stop.abort(new Error('given up'));
    expect(await collecting).to.have.property('message', 'given up');
    for (const file of [...left, join(path, 'gc.pid')]) expect(existsSync(file), file).to.equal(false);
    await rm(stalling);
    await git.gc(13);
    expect(await realGit(path, ['count-objects', '-v'])).to.match(/^count: 0\n/);
  });

  it('moves refs into one file', async () => {
    const { git } = at;
    await git.create(11, { defaultBranch: 'main' });
    const hash = await commitFiles(git, 11, { a: '1' });
    await (await git.prepareRefs(11, [{ ref: 'refs/heads/a/b', before: null, after: hash }])).commit();
    const before = await git.refs(11);
    await git.packRefs(11);
    expect(await readFile(join(git.pathOf(11), 'packed-refs'), 'utf8')).to.include(
      `${hash} refs/heads/a/b\n`,
    );
    expect(await git.refs(11)).to.deep.equal(before);
    await (await git.prepareRefs(11, [{ ref: 'refs/heads/a/b', before: hash, after: null }])).commit();
    expect((await git.refs(11)).has('refs/heads/a/b')).to.equal(false);
  });

  it('says clearly that a repository is missing, whatever is asked of it', async () => {
    const { git } = at;
    const hash = '1'.repeat(40);
    const asked: Promise<unknown>[] = [
      git.sizeOf(99),
      git.head(99),
      git.setHead(99, 'main'),
      git.gc(99),
      git.hasMuchGarbage(99),
      git.packRefs(99),
      git.refs(99),
      git.prepareRefs(99, []),
      git.resolve(99, 'main'),
      git.commit(99, hash),
      git.commits(99, [hash]),
      git.tagObjects(99, [hash]),
      git.types(99, [hash]),
      git.tree(99, hash),
      git.files(99, hash, { wanted: () => true, limit: 1 }),
      git.entry(99, hash, 'a'),
      git.blob(99, hash, 1),
      git.blobStream(99, hash),
      git.history(99, { from: hash, offset: 0, limit: 1 }),
      git.newCommits(99, null, hash, 1),
      git.isAncestor(99, hash, hash),
      git.lastCommits(99, hash, ['a']),
      git.changedFiles(99, [hash]),
      git.changedPaths(99, undefined, hash),
      git.diff(99, hash, 'diff'),
      git.archive(99, hash, 'zip', 'it'),
      git.bundle(99, hash, 'main'),
      git.fork(99, 100),
      git.fetchMirror(99, 'https://example.org/it.git'),
      git.stage(99),
      git.start(99, ['status']),
    ];
    for (const error of await Promise.all(asked.map(refusal)))
      expect(error).to.be.instanceOf(GitRepositoryMissing);
  });

  it('sweeps at start what a crash left aside long ago, and nothing younger', async () => {
    const [old, young] = [join(at.folder, 'staging/old.git'), join(at.folder, 'staging/young.git')];
    await mkdir(old);
    await mkdir(young);
    const longAgo = new Date(Date.now() - 48 * 60 * 60 * 1000);
    await utimes(old, longAgo, longAgo);
    await openGit({ folder: at.folder });
    expect(await readdir(join(at.folder, 'staging'))).to.deep.equal(['young.git']);
  });

  it('sweeps it while a server runs on, too', async () => {
    const left = join(at.folder, 'staging/left.git');
    await mkdir(left);
    expect(await at.git.sweep()).to.equal(0);
    const longAgo = new Date(Date.now() - 48 * 60 * 60 * 1000);
    await utimes(left, longAgo, longAgo);
    expect(await at.git.sweep()).to.equal(1);
    expect(await readdir(join(at.folder, 'staging'))).not.to.contain('left.git');
  });

  it('removes what a program is still writing into', async () => {
    const { git } = at;
    await git.create(900, { defaultBranch: 'main' });
    const busy = 'i=0; while mkdir -p objects/new && : > objects/new/$i; do i=$((i + 1)); done';
    const program = spawn('sh', ['-c', busy], { cwd: git.pathOf(900), stdio: 'ignore' });
    try {
      const written = join(git.pathOf(900), 'objects', 'new');
      while (!(await stat(written).catch(() => undefined))) await sleep(5);
      await git.remove(900);
      expect(await git.exists(900)).to.be.false;
    } finally {
      program.kill('SIGKILL');
    }
  });
});
