/** A process that waits for git, which waits for its input. */
import { tmpdir } from 'node:os';
import { GitProgram } from '../../src/git/program/git-program.js';

const program = new GitProgram({ home: tmpdir() });
const { stdout } = await program.start('short', tmpdir(), ['hash-object', '--stdin']);
stdout.resume();
process.stdout.write('waiting\n');
