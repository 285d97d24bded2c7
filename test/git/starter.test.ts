import { expect } from 'chai';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { GitBusy, GitError } from '../../src/git/port/errors.js';
import { GitProgram } from '../../src/git/program/git-program.js';
import { descendantsOf } from '../git-http/processes.js';
import { isRunning, runProgram, until } from '../support/process.js';
import { commitFiles, read, refusal, repositories } from './repositories.js';

const HASH_OF_A = '2e65efe2a145dda7ee51d1741299f848e5bf752e\n';

describe('git: the process that starts it', () => {
  const program = new GitProgram({ home: tmpdir() });
  const version = async () => (await program.run(tmpdir(), ['version'])).stdout.toString();
  const entry = fileURLToPath(new URL('../../src/git/program/starter/main.js', import.meta.url));
  /** Throws what is no `GitBusy`. */
  const isBusy = (error: unknown) => {
    if (error instanceof GitBusy) return false;
    throw error;
  };
  const starters = (pid: number) => descendantsOf(pid, entry);

  it('is one for all programs', async () => {
    await Promise.all([version(), version(), version()]);
    expect(await starters(process.pid)).to.have.length(1);
  });

  it('is started again when it was killed, and what it had started goes on', async () => {
    const [starter = 0] = await starters(process.pid);
    const hashing = await program.start('short', tmpdir(), ['hash-object', '--stdin']);
    const waiting = await program.start('short', tmpdir(), ['-c', 'alias.wait=!echo $$; sleep 600', 'wait']);
    const [said] = (await once(waiting.stdout, 'data')) as [Buffer];
    process.kill(starter, 'SIGKILL');
    await until(async () => !(await isRunning(starter)));
    await until(() => version().then((said) => said.startsWith('git version'), isBusy)); // until it is noticed
    hashing.stdin.end('a');
    expect(String(await read(hashing.stdout))).to.equal(HASH_OF_A);
    expect(await refusal(hashing.ended)).to.be.instanceOf(GitBusy);
    waiting.kill();
    expect(await refusal(waiting.ended)).to.be.instanceOf(GitBusy);
    await until(async () => !(await isRunning(Number(said))));
  });

  it('is started again where the system had refused to start it', async () => {
    for (const starter of await starters(process.pid)) process.kill(starter, 'SIGKILL');
    await until(async () => (await starters(process.pid)).length === 0);
    const { execPath } = process;
    process.execPath = '/dev/null/node';
    await until(() =>
      version().then(
        () => false,
        (error: unknown) => String(error).includes('ENOTDIR'),
      ),
    );
    process.execPath = execPath;
    expect(await version()).to.match(/^git version/);
  });

  it('is not needed to hear that refs have moved', async () => {
    const at = await repositories();
    await at.git.create(1, { defaultBranch: 'main' });
    const commit = await commitFiles(at.git, 1, { a: '1' });
    const prepared = await at.git.prepareRefs(1, [{ ref: 'refs/heads/new', before: null, after: commit }]);
    for (const starter of await starters(process.pid)) process.kill(starter, 'SIGKILL');
    await prepared.commit();
    await until(() => version().then(() => true, isBusy));
    expect((await at.git.refs(1)).get('refs/heads/new')).to.equal(commit);
    await at.remove();
  });

  it('goes on after what cannot be started', async () => {
    const before = await starters(process.pid);
    for (const argument of ['a\0b', 'x'.repeat(200_000)])
      expect(await refusal(program.run(tmpdir(), ['hash-object', argument]))).to.be.instanceOf(GitError);
    expect(await refusal(program.run(entry, ['version']))).to.be.instanceOf(GitError);
    expect(await version()).to.match(/^git version/);
    expect(await starters(process.pid)).to.deep.equal(before);
  });

  it('goes on after it had no descriptor left, and so does whoever it starts programs for', async () => {
    const starving = runProgram('test/git/starved-starter-process.js', [], {});
    await starving.ended();
    expect(starving.output()).to.equal('50 busy\ngit version\n');
  });

  it('does not end at signals for a whole terminal or service', async () => {
    const running = await program.start('short', tmpdir(), ['hash-object', '--stdin']);
    const before = await starters(process.pid);
    for (const signal of ['SIGINT', 'SIGTERM']) for (const pid of before) process.kill(pid, signal);
    running.stdin.end('a');
    expect(String(await read(running.stdout))).to.equal(HASH_OF_A);
    expect((await running.ended).code).to.equal(0);
    expect(await starters(process.pid)).to.deep.equal(before);
  });

  it('ends with whoever it starts programs for', async () => {
    const holder = runProgram('test/git/holding-process.js', [], {});
    await holder.prints(/waiting/);
    const [starter = 0] = await starters(holder.pid);
    expect(await isRunning(starter)).to.equal(true);
    holder.process.kill('SIGKILL');
    await until(async () => !(await isRunning(starter)));
  });

  it('ends if whoever it starts programs for is gone before it has begun', async () => {
    const starter = fork(entry, [], { env: { SOCKET: `tallyforge-test-${process.pid}`, SECRET: 'secret' } });
    const ended = once(starter, 'exit');
    starter.disconnect();
    expect(await ended).to.deep.equal([0, null]);
  });

  it('does nothing for a stranger', async () => {
    await version();
    const [starter = 0] = await starters(process.pid);
    const [, name = ''] =
      /(?:^|\0)SOCKET=([^\0]+)/.exec(await readFile(`/proc/${starter}/environ`, 'utf8')) ?? [];
    for (const greeting of ['wrong 1 stdin\n', 'x'.repeat(1_000)]) {
      const stranger = connect(`\0${name}`);
      stranger.write(greeting);
      expect(String(await read(stranger))).to.equal('');
    }
  });
});
