import { expect } from 'chai';
import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, readFile, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { dataDir } from '../support/data-dir.js';

/** The compiler itself. */
const COMPILER = 'node_modules/typescript-7';

const CONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    rootDir: '.',
    outDir: 'dist',
    incremental: true,
    tsBuildInfoFile: 'dist/.tsbuildinfo',
    types: [],
  },
  include: ['src'],
};

interface Finished {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('what prepares a checkout', () => {
  let checkout: Awaited<ReturnType<typeof dataDir>>;
  const at = (...path: string[]) => join(checkout.path, ...path);

  beforeEach(async () => {
    checkout = await dataDir();
    await cp('setup', at('setup'), { recursive: true });
    await writeFile(at('tsconfig.json'), JSON.stringify(CONFIG));
    await writeFile(at('package.json'), '{"type":"module"}');
    await writeFile(at('package-lock.json'), '{}');
    await mkdir(at('src'));
    await writeFile(at('src', 'main.ts'), "console.log('the answer');\n");
  });
  afterEach(() => checkout.remove());

  const run = (env: NodeJS.ProcessEnv = {}, script = 'run.mjs', file = 'dist/src/main.js') =>
    new Promise<Finished>((resolve) => {
      execFile(
        process.execPath,
        [at('setup', script), file],
        { env: { PATH: process.env.PATH, ...env } },
        (error, stdout, stderr) => resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });

  /**
   * A PATH with an npm of this version that takes a while to install next to nothing, and where nothing else is missing.
   * Like the real one, it leaves nodegit half installed where `ignore-scripts` is set, unless its arguments say otherwise,
   * and does not compile again what was compiled before.
   */
  const withNpm = async (version = '10.8.2') => {
    const programs = at('programs');
    await mkdir(programs);
    for (const name of ['dpkg-query', 'python3', 'make', 'g++'])
      await symlink('/bin/true', join(programs, name));
    const npm = `#!/bin/sh
[ "$*" = --version ] && echo ${version} && exit
echo "$@" >&2
for each; do case "$each" in --prefix=*) cd "\${each#--prefix=}" ;; esac; done
while [ -e ${at('held')} ]; do sleep 0.05; done
sleep 0.3
mkdir -p node_modules/nodegit
ln -sfn ${resolve(COMPILER)} ${COMPILER}
case "$npm_config_ignore_scripts $*" in
  *--ignore-scripts=false*) ;;
  true*) exit ;;
esac
[ -d node_modules/nodegit/build ] && exit
mkdir node_modules/nodegit/build
: > node_modules/nodegit/index.js
`;
    await writeFile(join(programs, 'npm'), npm);
    await chmod(join(programs, 'npm'), 0o755);
    return `${programs}:${process.env.PATH}`;
  };

  it('compiles anew what could not be written once, and prints nothing where the answer goes', async () => {
    await mkdir(at('node_modules'));
    await symlink(resolve(COMPILER), at(COMPILER));
    const { modules } = process.versions;
    const installed = createHash('sha256')
      .update(await readFile(at('package-lock.json')))
      .update(`${modules} ${process.platform} ${process.arch}`);
    await writeFile(at('node_modules', '.tallyforge-stamp'), installed.digest('hex'));

    const inTheWay = at('dist', 'src', 'main.js');
    await mkdir(inTheWay, { recursive: true });
    const failed = await run();
    expect(failed).to.deep.include({ status: 2, stdout: '' });
    expect(failed.stderr).to.include('Could not write file');
    await rmdir(inTheWay);
    expect(await run()).to.deep.include({ status: 0, stdout: 'the answer\n' });
  });

  it('installs what compiles, also where the environment is that of production', async () => {
    const { status, stdout, stderr } = await run({ PATH: await withNpm(), NODE_ENV: 'production' });
    expect({ status, stdout }, stderr).to.deep.equal({ status: 0, stdout: 'the answer\n' });
    expect(stderr).to.match(/^ci .*--include=dev/m);
  });

  for (const [version, expected] of [
    ['9.2.0', /^exec --yes --package=npm@10\.\d+\.\d+ -- npm --prefix=\S+ ci /m],
    ['8.19.4', /^exec --yes --package=npm@10\.\d+\.\d+ -- npm --prefix=\S+ ci /m],
    ['9.3.0', /^ci /m],
    ['10.0.0', /^ci /m],
  ] as const)
    it(`installs by an npm that reads its lock, where npm ${version} is there`, async () => {
      const { status, stdout, stderr } = await run({ PATH: await withNpm(version) });
      expect({ status, stdout }, stderr).to.deep.equal({ status: 0, stdout: 'the answer\n' });
      expect(stderr).to.match(expected);
    });

  it('compiles nodegit also where packages may run no scripts of their own', async () => {
    const env = { PATH: await withNpm(), npm_config_ignore_scripts: 'true' };
    expect(await run(env)).to.deep.include({ status: 0, stdout: 'the answer\n' });
  });

  it('compiles nodegit anew where it was compiled for another Node', async () => {
    const PATH = await withNpm();
    await mkdir(at('node_modules', 'nodegit', 'build'), { recursive: true });
    await writeFile(at('node_modules', 'nodegit', 'index.js'), "throw new Error('of another Node');\n");
    await symlink(resolve(COMPILER), at(COMPILER));
    await writeFile(at('node_modules', '.package-lock.json'), '{}');
    const { status, stdout, stderr } = await run({ PATH });
    expect({ status, stdout }, stderr).to.deep.equal({ status: 0, stdout: 'the answer\n' });
  });

  it('looks for no browser where the path of a test is given', async () => {
    await withNpm();
    for (const name of ['mkdir', 'ln', 'sleep']) await symlink(`/bin/${name}`, at('programs', name));
    await mkdir(at('node_modules', '.bin'), { recursive: true });
    const mocha = at('node_modules', '.bin', 'mocha');
    await writeFile(mocha, '#!/bin/sh\necho "  1 passing"\n');
    await chmod(mocha, 0o755);
    const { status, stdout, stderr } = await run({ PATH: at('programs') }, 'test.mjs', 'dist/src/main.js');
    expect({ status, last: stdout.trim().split('\n').at(-1) }, stderr).to.deep.equal({
      status: 0,
      last: '1 passed, 0 failed',
    });
  });

  it('installs once for all who begin at the same time', async () => {
    const PATH = await withNpm();
    const all = await Promise.all([run({ PATH }), run({ PATH }), run({ PATH })]);
    for (const each of all) expect(each, each.stderr).to.deep.include({ status: 0, stdout: 'the answer\n' });
    const said = all.map(({ stderr }) => stderr).join('');
    expect(said.match(/^ci /gm)).to.have.length(1);
  });

  it('waits for an installation whose start was killed', async () => {
    const env = { PATH: await withNpm() };
    await writeFile(at('held'), '');
    const start = () => spawn(process.execPath, [at('setup', 'run.mjs'), 'dist/src/main.js'], { env });
    const killed = start();
    await saying(killed, /^ci /m);
    killed.kill();
    await once(killed, 'exit');
    const next = start();
    const ended = once(next, 'exit');
    const said = await saying(next, /^(ci|waiting) /m);
    await rm(at('held'));
    expect(await ended).to.deep.equal([0, null]);
    expect(said).to.match(/^waiting for another program/m);
  });
});

/** Resolves with what a program has told on stderr once that matches, and takes what comes after it. */
function saying({ stderr }: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (pattern.test(said)) resolve(said);
    });
  });
}
