import { expect } from 'chai';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDir } from '../support/data-dir.js';
import { runProgram } from '../support/process.js';

describe('system packages', () => {
  let programs: Awaited<ReturnType<typeof dataDir>>;
  const at = (name: string) => join(programs.path, name);
  const write = async (name: string, text: string) => {
    await writeFile(at(name), `#!/bin/sh\n${text}\n`);
    await chmod(at(name), 0o755);
  };

  beforeEach(async () => {
    programs = await dataDir();
  });
  afterEach(() => programs.remove());

  /** What is told by a start that finds these programs and no others. */
  async function install(what: readonly 'tests'[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const program = runProgram('test/setup/install-process.js', what, { PATH: programs.path, ...env });
    await program.ended();
    return program.output();
  }

  it('are named in one command that works on a new machine, where nobody may install them', async () => {
    // No program is found there: neither apt-get nor a compiler.
    expect(await install()).to.match(
      /^ {2}sudo apt-get update && sudo apt-get install -y .*python3 make g\+\+$/m,
    );
  });

  it('are installed by root, or with sudo that asks for no password, those that are missing', async () => {
    await write('apt-get', `[ "$1" = --version ] || echo "$DEBIAN_FRONTEND" "$@" >> ${at('done')}`);
    await write('sudo', 'shift && exec "$@"');
    await symlink('/usr/bin/env', at('env'));
    await write('python3', '');
    await write('dpkg-query', '[ "$1" = --version ] || [ "$2" = libssl-dev ]');
    expect(await install()).to.equal('installing libkrb5-dev, make, g++\n');
    expect((await readFile(at('done'), 'utf8')).trim().split('\n')).to.deep.equal([
      'noninteractive -q -y -o Acquire::Retries=3 update',
      'noninteractive -q -y -o Acquire::Retries=3 install --no-install-recommends libkrb5-dev make g++',
    ]);
  });

  it('are not looked for again where all are there', async () => {
    for (const name of ['python3', 'make', 'g++', 'dpkg-query']) await write(name, '');
    await write('apt-get', 'exit 1');
    expect(await install()).to.equal('');
  });

  for (const [present, env, missing] of [
    [[], {}, 'chromium-headless-shell curl'],
    [['curl'], {}, 'chromium-headless-shell'],
    [['chromium'], {}, 'curl'],
    [[], { CHROMIUM: '/opt/chrome' }, 'curl'],
    [['chromium', 'curl'], {}, undefined],
  ] as const)
    it(`of the tests are ${missing ?? 'none'}, where there is ${[...present, ...Object.keys(env)].join(' and ') || 'nothing'}`, async () => {
      for (const name of present) await write(name, '');
      const told = await install(['tests'], env);
      if (missing === undefined) expect(told).to.equal('');
      else expect(told).to.match(new RegExp(`apt-get install -y ${missing}$`, 'm'));
    });
});
