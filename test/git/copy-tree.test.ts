import { expect } from 'chai';
import { PassThrough, Readable, Writable } from 'node:stream';
import { GitBusy } from '../../src/git/port/errors.js';
import type { RunningProgram } from '../../src/git/port/programs.js';
import type { GitProgram } from '../../src/git/program/git-program.js';
import { copyTree } from '../../src/git/staging/copy-tree.js';
import { rejection } from '../support/rejection.js';

const TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A program that ends well, with these ends of its pipes. */
const program = (pipes: Pick<RunningProgram, 'stdin' | 'stdout'>): RunningProgram => ({
  ...pipes,
  ended: Promise.resolve({ code: 0, signal: null, stderr: '' }),
  kill: () => undefined,
  cutShort: () => undefined,
});

describe('copying a tree', () => {
  it('is done where the taker has the whole pack and ends before its input does', async () => {
    const giver = program({ stdin: new PassThrough(), stdout: Readable.from([Buffer.from('PACK')]) });
    const taker = program({
      stdin: new Writable({
        write() {
          this.destroy(); // as node does with the input of a program that has ended
        },
      }),
      stdout: new PassThrough().end(),
    });
    const programs = [giver, taker];
    const start = () => Promise.resolve(programs.shift());
    await copyTree({ start } as unknown as GitProgram, { base: '/base', tree: TREE, path: '/path' });
  });

  it('leaves no program behind where the other one cannot be started', async () => {
    let isKilled = false;
    const giver = program({ stdin: new PassThrough(), stdout: new PassThrough() });
    const programs = [Promise.resolve({ ...giver, kill: () => (isKilled = true) })];
    const start = () => programs.shift() ?? Promise.reject(new GitBusy('not now'));
    const copied = copyTree({ start } as unknown as GitProgram, { base: '/base', tree: TREE, path: '/path' });
    expect(await rejection(copied)).to.be.instanceOf(GitBusy);
    expect(isKilled).to.equal(true);
  });
});
