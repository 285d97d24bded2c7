import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from '../../src/files/file-lock.js';
import { dataDir } from '../support/data-dir.js';
import { isRunning, runProgram, until, type RunningProgram } from '../support/process.js';

describe('the supervisor', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  const programs: RunningProgram[] = [];

  beforeEach(async () => {
    data = await dataDir();
  });
  afterEach(async () => {
    for (const program of programs.splice(0)) {
      program.process.kill('SIGKILL');
      await program.ended(); // and so are its children, who write to the same pipe
    }
    await data.remove();
  });

  /** The supervisor with these children; without a database of its own unless `env` says otherwise. */
  function start(children: readonly string[], env: NodeJS.ProcessEnv = {}): RunningProgram {
    const program = runProgram('test/start/fixtures/supervisor.js', children, {
      DATA_DIR: data.path,
      PORT: '0',
      DATABASE_URL: 'postgresql://nobody@127.0.0.1/none',
      ...env,
    });
    programs.push(program);
    return program;
  }
  const story = async () => (await readFile(join(data.path, 'story'), 'utf8')).trim().split('\n');
  const pidsOf = async (name: string) =>
    (await story()).flatMap((line) =>
      line.startsWith(`${name} starts `) ? [Number(line.split(' ')[2])] : [],
    );

  const isHere = (pid: number) => existsSync(`/proc/${pid}`);

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`stops the children one after the other on ${signal}, the last first`, async () => {
      const program = start(['projector', 'api']);
      await program.prints(/ready at http:\/\/127\.0\.0\.1:[1-9]\d*\n/);
      program.process.kill(signal);
      expect(await program.ended()).to.deep.equal({ code: 0, signal: null });
      expect((await story()).slice(-4)).to.deep.equal([
        'api stops',
        'api has stopped',
        'projector stops',
        'projector has stopped',
      ]);
    });
  }

  it('takes a signal that arrives twice, as Ctrl-C through npm does, for one', async () => {
    const program = start(['api']);
    await program.prints(/ready/);
    program.process.kill('SIGINT');
    program.process.kill('SIGTERM'); // the same signal at once would be one to the kernel
    expect((await program.ended()).code).to.equal(0);
    expect(await story()).to.include('api has stopped');
  });

  it('kills on a second, later signal what will not stop', async () => {
    const program = start(['stubborn']);
    await program.prints(/ready/);
    program.process.kill('SIGTERM');
    await until(async () => (await story()).includes('stubborn stops')); // it has heard of the first
    await sleep(1_100); // two signals within a second are one
    program.process.kill('SIGTERM');
    expect((await program.ended()).code).to.equal(0);
    expect(program.output()).to.include('did not stop in time: killed');
  });

  it('ends in a while what stands still, and what does not stop ends by itself', async () => {
    const program = start(['api']);
    const stubborn = runProgram('test/start/fixtures/stubborn.js', [], {
      DATA_DIR: data.path,
      DATABASE_URL: 'postgresql://nobody@127.0.0.1/none',
      VAULT_KEY: '0'.repeat(64),
    });
    programs.push(stubborn);
    await program.prints(/ready/);
    await until(async () => (await story()).includes('stubborn is ready'));
    const [api = 0] = await pidsOf('api');
    process.kill(api, 'SIGSTOP');
    try {
      for (const { process: each } of [program, stubborn]) each.kill('SIGTERM');
      await Promise.race([program.ended(), sleep(120_000, undefined, { ref: false })]);
      expect(program.output()).to.include('did not stop in time: killed');
      expect(isHere(api)).to.equal(false);
    } finally {
      if (isHere(api)) process.kill(api, 'SIGKILL'); // or it keeps the pipe of what it printed to open
    }
    expect((await program.ended()).code).to.equal(0);
    expect((await stubborn.ended()).code).to.equal(1);
    expect(stubborn.output()).to.include('not stopped after 7 s');
  });

  it('stops while it still prepares: in a while, or at once on a second, later signal', async () => {
    const waiting = start(['api'], { PREPARES: 'for ever' });
    await waiting.prints(/preparing/);
    waiting.process.kill('SIGTERM');
    await sleep(1_100);
    waiting.process.kill('SIGTERM');
    expect(await waiting.ended()).to.deep.equal({ code: 0, signal: null });
    expect(waiting.output()).not.to.contain('ready');

    const patient = start(['api'], { PREPARES: 'for ever' });
    await patient.prints(/preparing/);
    patient.process.kill('SIGTERM');
    expect(await patient.ended()).to.deep.equal({ code: 0, signal: null });
  });

  it('stops while its PostgreSQL starts, at once on a second, later signal', async () => {
    const lock = tryLock(join(data.path, 'postgres.lock')); // as another would that starts it, and takes its time
    const program = start(['api'], { DATABASE_URL: '' });
    await until(() => existsSync(join(data.path, 'start.lock')));
    program.process.kill('SIGTERM');
    await sleep(1_100);
    program.process.kill('SIGTERM');
    expect(await program.ended()).to.deep.equal({ code: 0, signal: null });
    lock?.release();
  });

  it('starts a child again that dies, and says so', async () => {
    const program = start(['projector', 'api']);
    await program.prints(/ready/);
    const [api = 0] = await pidsOf('api');
    process.kill(api, 'SIGKILL');
    await program.prints(/"child":"api".*runs again/);
    expect(program.output()).to.match(/"signal":"SIGKILL","delay":200,"msg":"ended unexpectedly/);
    expect(await pidsOf('api')).to.have.lengthOf(2);
    expect(await pidsOf('projector')).to.have.lengthOf(1);
  });

  it('waits longer before each further attempt', async () => {
    const program = start(['api']);
    await program.prints(/ready/);
    for (const [index, delay] of [200, 400, 800].entries()) {
      await until(async () => (await pidsOf('api')).length === index + 1);
      process.kill((await pidsOf('api'))[index] ?? 0, 'SIGKILL');
      await program.prints(new RegExp(`"delay":${delay},`));
    }
  });

  it('gives up, and stops the others, when a child cannot start', async () => {
    const program = start(['projector', 'broken']);
    expect((await program.ended()).code).to.equal(1);
    expect(program.output()).to.include('the port is taken').and.include('broken did not start (status 1)');
  });

  it('starts a child again that was never ready, where what it needs was killed meanwhile', async () => {
    const program = start(['projector', 'hindered']);
    await program.prints(/ready/);
    expect(program.output()).to.include('the database cannot be reached').and.include('"code":75');
    expect(await pidsOf('hindered')).to.have.lengthOf(2);
    expect(await pidsOf('projector')).to.have.lengthOf(1);
  });

  it('leaves nothing running when it is killed', async () => {
    const program = start(['projector', 'api', 'stubborn']);
    await program.prints(/ready/);
    const pids = (await Promise.all(['projector', 'api', 'stubborn'].map(pidsOf))).flat();
    program.process.kill('SIGKILL');
    for (const pid of pids) await until(async () => !(await isRunning(pid)));
  });

  it('refuses to serve the same data twice', async () => {
    await start(['api']).prints(/ready/);
    const second = start(['api']);
    expect((await second.ended()).code).to.equal(1);
    expect(second.output()).to.include(`another npm start serves ${data.path}`);
  });

  it('brings its PostgreSQL along, takes it up again when it dies, and leaves none behind', async () => {
    const program = start(['projector', 'api'], { DATABASE_URL: '' });
    await program.prints(/ready/);
    const pidFile = join(data.path, 'postgres', 'postmaster.pid');
    const postmaster = async () => Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
    const first = await postmaster();
    process.kill(first, 'SIGKILL');
    await program.prints(/PostgreSQL went away/);
    await until(async () => ![0, first].includes(await postmaster()));
    const second = await postmaster();
    await program.prints(/PostgreSQL is back/);
    program.process.kill('SIGTERM');
    expect((await program.ended()).code).to.equal(0);
    expect(await isRunning(second)).to.equal(false);
  });
});
