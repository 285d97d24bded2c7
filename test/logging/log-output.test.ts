import { execFile } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { LogOutput } from '../../src/logging/log-output.js';

const PROGRAM = `
  const { LogOutput } = await import('${new URL('../../src/logging/log-output.js', import.meta.url).href}');
  new LogOutput(process.stdout).write('the last line\\n');
  process.exit(0);`;

/** A service that logs twice to where nothing can be written, and then stops. */
const WITHOUT_ROOM = `
  const { createLogger } = await import('${new URL('../../src/logging/logger.js', import.meta.url).href}');
  const { runChild } = await import('${new URL('../../src/start/child.js', import.meta.url).href}');
  const { setTimeout } = await import('node:timers/promises');
  const log = createLogger({ name: 'test', level: 'info' });
  runChild({ start: async () => ({}), stop: async () => console.error('stopped in order') });
  for (const line of ['one', 'two']) {
    log.info(line);
    await setTimeout(20);
  }
  process.kill(process.pid, 'SIGTERM');
  await setTimeout(5_000);`;

describe('the output of a log', () => {
  it('writes the lines of one turn of the event loop together, and those of the next apart', async () => {
    const written: string[] = [];
    const output = new LogOutput({ write: (lines) => written.push(lines) });
    output.write('one\n');
    output.write('two\n');
    expect(written).to.deep.equal([]);
    await nextTurn();
    output.write('three\n');
    await nextTurn();
    expect(written).to.deep.equal(['one\ntwo\n', 'three\n']);
  });

  it('ends no service where it cannot be written', async () => {
    const full = ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, '--input-type=module', '-e'];
    const { stderr } = await promisify(execFile)('/bin/sh', [...full, WITHOUT_ROOM]);
    expect(stderr).to.equal('stopped in order\n');
  });

  it('writes what is left when the process ends', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
    expect(stdout).to.equal('the last line\n');
  });
});
