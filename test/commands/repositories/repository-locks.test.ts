import { expect } from 'chai';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RepositoryLocks } from '../../../src/commands/repositories/repository-locks.js';
import { dataDir } from '../../support/data-dir.js';
import { until } from '../../support/process.js';
import { rejection } from '../../support/rejection.js';

const HOLDER = fileURLToPath(new URL('lock-process.js', import.meta.url));

describe('the lock of a repository', () => {
  let folder: Awaited<ReturnType<typeof dataDir>>;
  let locks: RepositoryLocks;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    folder = await dataDir();
    locks = new RepositoryLocks({ dataDir: folder.path });
  });

  afterEach(async () => {
    locks.close();
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await folder.remove();
  });

  /** Another process, which holds the lock once it has said so. */
  const holder = async () => {
    const child = fork(HOLDER, [folder.path, '7']);
    children.push(child);
    await once(child, 'message');
    return child;
  };

  it('lets one at a time work, in this process', async () => {
    let working = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++working);
      await new Promise(setImmediate);
      working -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => locks.run(7, work)));
    expect(most).to.equal(1);
  });

  it('lets different repositories be worked on at once', async () => {
    let release: () => void = () => undefined;
    const held = locks.run(7, () => new Promise<void>((resolve) => (release = resolve)));
    await locks.run(8, () => Promise.resolve());
    release();
    await held;
  });

  it('of a process that has closed is nobody’s, however often it closes', async () => {
    locks.close();
    const other = new RepositoryLocks({ dataDir: folder.path });
    locks.close();
    expect(await other.run(7, () => Promise.resolve('done'))).to.equal('done');
    expect(await readdir(join(folder.path, 'repositories', 'locks'))).to.have.length(1);
    other.close();
    other.close();
  });

  it('is free again when the work fails', async () => {
    await locks.run(7, () => Promise.reject(new Error('no'))).catch(() => undefined);
    expect(await locks.run(7, () => Promise.resolve('done'))).to.equal('done');
  });

  it('waits for another process that works', async () => {
    const other = await holder();
    const mine = locks.run(7, () => readdir(folder.path));
    other.send('finish');
    expect(await mine).to.include('finished');
  });

  it('is waited for as long by many as by one, and then refused', async () => {
    const patienceMs = 3_000;
    const hasty = new RepositoryLocks({ dataDir: folder.path, patienceMs });
    await holder();
    const begun = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => rejection(hasty.run(7, () => Promise.resolve()))),
    );
    expect(performance.now() - begun).to.be.within(patienceMs, 5 * patienceMs); // if each waited anew, five times as long
    for (const outcome of outcomes) expect(outcome).to.include({ code: 'repository.busy' });
    hasty.close();
  });

  it('is less and less doubted while its holder lives', async () => {
    const { PATH } = process.env;
    const asked = join(folder.path, 'asked');
    await writeFile(
      join(folder.path, 'flock'),
      `#!/bin/sh\necho asked >> "${asked}"\nPATH="${PATH}" exec flock "$@"\n`,
      { mode: 0o700 },
    );
    const other = await holder();
    process.env.PATH = `${folder.path}:${PATH}`;
    try {
      const begun = performance.now();
      const mine = locks.run(7, () => Promise.resolve());
      await until(async () => (await readFile(asked, 'utf8').catch(() => '')).split('\n').length > 5);
      expect(performance.now() - begun).to.be.above(1_400); // five times within 0.6 s if each doubt were as long as the first
      other.send('finish');
      await mine;
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('is taken over from a process that was killed', async () => {
    const other = await holder();
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(await locks.run(7, () => Promise.resolve('done'))).to.equal('done');
  });

  it('keeps no file of processes that are gone', async () => {
    const other = await holder();
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(await readdir(join(folder.path, 'repositories', 'locks'))).to.have.length(3);
    await locks.sweep();
    await locks.run(7, () => Promise.resolve());
    expect(await readdir(join(folder.path, 'repositories', 'locks'))).to.have.length(1);
  });
});
