/** A process that starts git while it has no descriptor left, and again once it has: it tells what comes of both. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { GitProgram } from '../../src/git/program/git-program.js';

const MOST = 100;

const program = new GitProgram({ home: tmpdir() });
const said = async (): Promise<string> => {
  try {
    const { stdout } = await program.run(tmpdir(), ['version']);
    return stdout.toString().split(' ', 2).join(' ');
  } catch (error) {
    return String(error);
  }
};

execFileSync('prlimit', [`--pid=${process.pid}`, `--nofile=${MOST}`]);
const files: number[] = [];
try {
  for (;;) files.push(openSync('/dev/null', 'r'));
} catch {
  // All are open now.
}
const without = await said();
for (const file of files) closeSync(file);
process.stdout.write(`${without}\n${await said()}\n`);
