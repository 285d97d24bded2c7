/**
 * A process that starts git many times at once while what starts it has no descriptor left, and again once it has: it tells
 * what comes of both, and then has nothing left to do.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { GitBusy } from '../../src/git/port/errors.js';
import { GitProgram } from '../../src/git/program/git-program.js';
import { descendantsOf } from '../git-http/processes.js';

const PROGRAMS = 50;
const ENOUGH = 512;

const program = new GitProgram({ home: tmpdir() });
const said = async (): Promise<string> => {
  const { stdout } = await program.run(tmpdir(), ['version']);
  return stdout.toString().split(' ', 2).join(' ');
};

await said();
const entry = fileURLToPath(new URL('../../src/git/program/starter/main.js', import.meta.url));
const [starter = 0] = await descendantsOf(process.pid, entry);
const limit = (most: number) => execFileSync('prlimit', [`--pid=${starter}`, `--nofile=${most}:`]);
limit(readdirSync(`/proc/${starter}/fd`).length);
const without = await Promise.allSettled(Array.from({ length: PROGRAMS }, said));
limit(ENOUGH);
const busy = without.filter((each) => each.status === 'rejected' && each.reason instanceof GitBusy);
process.stdout.write(`${busy.length} busy\n${await said()}\n`);
