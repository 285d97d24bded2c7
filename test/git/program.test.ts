import { expect } from 'chai';
import { once, setMaxListeners } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { GitBusy, GitError, GitLimitExceeded } from '../../src/git/port/errors.js';
import { GitProgram } from '../../src/git/program/git-program.js';
import { WAITING_AT_MOST } from '../../src/git/shares.js';
import { Slots } from '../../src/concurrency/slots.js';
import { isRunning, runProgram, until } from '../support/process.js';
import { commitFiles, read, realGit, refusal, repositories, type Repositories } from './repositories.js';

describe('git: the program', () => {
  let at: Repositories;
  let program: GitProgram;
  let path: string;
  before(async () => {
    at = await repositories();
    await at.git.create(1, { defaultBranch: 'main' });
    await commitFiles(at.git, 1, { a: '1' });
    path = at.git.pathOf(1);
    program = new GitProgram({ home: join(at.folder, 'home') });
  });
  after(() => at.remove());

  const said = async (args: string[], options = {}) => {
    const running = await at.git.start(1, args, options);
    running.stdin.end();
    return String(await read(running.stdout));
  };

  it('takes neither settings nor variables of whoever started us', async () => {
    process.env.GIT_DIR = '/nowhere';
    process.env.SECRET = 'x';
    try {
      expect(await said(['rev-parse', '--git-dir'])).to.equal('.\n');
      expect(await said(['-c', 'alias.env=!env', 'env'])).not.to.contain('SECRET');
    } finally {
      delete process.env.GIT_DIR;
      delete process.env.SECRET;
    }
    const settings = await said(['config', '--list', '--show-origin']);
    expect(settings).not.to.match(/^file:(?!config)/m);
  });

  it('may take an hour of CPU and 4 GiB, and so may what it starts, unless we have less ourselves', async () => {
    const [seconds, kibibytes] = (await said(['-c', 'alias.limits=!ulimit -t; ulimit -d', 'limits'])).split(
      '\n',
    );
    expect(Number(seconds)).to.be.at.most(3600);
    expect(Number(kibibytes)).to.be.at.most(4 * 1024 * 1024);
  });

  it('leaves no core where it is ended by a signal, and cannot be let to', async () => {
    expect(await said(['-c', 'alias.limit=!ulimit -H -c', 'limit'])).to.equal('0\n');
  });

  it('speaks no protocol, and runs no hook', async () => {
    const { stderr } = await (await at.git.start(1, ['fetch', path])).ended;
    expect(stderr).to.contain("transport 'file' not allowed");
    await mkdir(join(path, 'hooks'));
    const ran = join(at.elsewhere, 'ran');
    await writeFile(join(path, 'hooks/reference-transaction'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    await commitFiles(at.git, 1, { a: '2' });
    expect(await stat(ran).catch(() => undefined)).to.equal(undefined);
  });

  it('shows what there is, and not what somebody has pushed to be seen in its place', async () => {
    const real = await commitFiles(at.git, 1, { a: 'real' });
    const other = await commitFiles(at.git, 1, { a: 'other' }, { branch: 'other' });
    await realGit(path, ['replace', real, other]);
    expect(await realGit(path, ['show', `${real}:a`])).to.equal('other');
    expect(await said(['show', `${real}:a`])).to.equal('real');
  });

  it('lets settings be added for one run, which show in no argument', async () => {
    const config = { 'http.extraHeader': 'a secret' };
    expect(await said(['config', 'http.extraHeader'], { config })).to.equal('a secret\n');
    const running = await at.git.start(1, ['-c', 'alias.show=!cat /proc/$PPID/cmdline', 'show'], { config });
    expect(String(await read(running.stdout))).not.to.contain('a secret');
  });

  it('ends with all that it started when it is given up or late', async () => {
    const controller = new AbortController();
    const pids = join(at.elsewhere, 'pids');
    const sleep = ['-c', `alias.sleep=!sleep 60 & echo $! > ${pids}; echo started; wait`, 'sleep'];
    const running = await at.git.start(1, sleep, { signal: controller.signal });
    await once(running.stdout, 'data');
    controller.abort(new Error('given up'));
    expect(await refusal(running.ended)).to.have.property('message', 'given up');
    const child = Number(await readFile(pids, 'utf8'));
    await until(async () => !(await isRunning(child)));

    const late = await at.git.start(1, sleep, { timeoutMs: 50 });
    expect(await refusal(late.ended)).to.be.instanceOf(GitLimitExceeded);
    const left = await at.git.start(1, ['-c', 'alias.leave=!sleep 600 &', 'leave'], { timeoutMs: 500 });
    left.stdout.resume();
    expect(await refusal(left.ended)).to.be.instanceOf(GitLimitExceeded);
    expect(await refusal(at.git.start(1, ['version'], { signal: controller.signal }))).to.have.property(
      'message',
      'given up',
    );
  });

  it('ends where nobody wants the rest of its output', async () => {
    const chatter = ['-c', 'alias.chatter=!yes', 'chatter'];
    const running = await at.git.start(1, chatter);
    const output = running.stdout.pipe(new PassThrough());
    await once(output, 'data');
    output.destroy();
    running.kill();
    expect((await running.ended).code).to.equal(null);
    const paused = await at.git.start(1, chatter);
    paused.stdout.pause();
    paused.kill();
    expect((await paused.ended).code).to.equal(null);
  });

  it('says why it failed, and no more than is allowed', async () => {
    expect(await refusal(program.run(path, ['no-such-command']))).to.be.instanceOf(GitError);
    expect(await refusal(program.run(path, ['no-such-command'])))
      .to.have.property('message')
      .that.contains('no-such-command');
    const much = ['-c', 'alias.much=!head -c 67108865 /dev/zero', 'much'];
    expect(await refusal(program.run(path, much))).to.include({ limit: 'bytes' });
    expect((await program.run(path, ['cat-file', '-e', 'main:none'], { codes: [128] })).code).to.equal(128);
    expect(await refusal(program.run(join(path, 'nowhere'), ['version']))).to.be.instanceOf(GitError);
  });

  it('takes no repository around a broken one for it', async () => {
    const around = join(at.elsewhere, 'around');
    await realGit(at.elsewhere, ['init', '--quiet', around]);
    for (const data of ['data', 'data:2']) {
      const broken = join(around, data, '1.git');
      await mkdir(join(broken, 'objects'), { recursive: true });
      await writeFile(join(broken, 'HEAD'), 'ref: refs/heads/main\n');
      expect(await refusal(program.run(broken, ['rev-parse', '--git-dir'])), data)
        .to.have.property('message')
        .that.contains('not a git repository');
    }
  });

  it('tells where too many files are open to start git, and goes on', async () => {
    const starving = runProgram('test/git/starving-process.js', [], {});
    await starving.ended();
    expect(starving.output()).to.equal('GitError: git did not start: Too many open files\ngit version\n');
  });

  it('lets no more than so many wait, and leaves places to other repositories', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    setMaxListeners(0, signal);
    const start = () => program.start('short', path, ['cat-file', '--batch'], { signal });
    const running = await Promise.all(Array.from({ length: 8 }, start));
    const waiting = Promise.allSettled(Array.from({ length: WAITING_AT_MOST }, start));
    expect(await refusal(start())).to.be.instanceOf(GitBusy);
    expect((await program.run(at.elsewhere, ['version'])).code).to.equal(0);
    controller.abort(new Error('given up'));
    await Promise.all([waiting, ...running.map(({ ended }) => refusal(ended))]);
    expect((await program.run(path, ['version'])).code).to.equal(0);
  });

  it('runs in bounded number, in the order of asking', async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const giveBack = await slots.take();
    const second = slots.take().then((give) => {
      order.push('second');
      return give;
    });
    const controller = new AbortController();
    const third = refusal(slots.take(controller.signal));
    const fourth = slots.take().then((give) => {
      order.push('fourth');
      give();
    });
    controller.abort(new Error('not any more'));
    expect(await third).to.have.property('message', 'not any more');
    expect(order).to.deep.equal([]);
    giveBack();
    giveBack();
    const give = await second;
    expect(order).to.deep.equal(['second']);
    give();
    await fourth;
  });
});
