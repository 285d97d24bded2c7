import { Transform, type Readable } from 'node:stream';
import { GitError } from '../port/errors.js';
import type { RunningProgram } from '../port/programs.js';

/** What a program prints, as a stream that fails where the program does, and ends it when nobody wants more. */
export function outputOf(running: RunningProgram): Readable {
  const output = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, chunk);
    },
    flush(done) {
      running.ended.then(({ code, stderr }) => {
        done(code === 0 ? null : new GitError(`git ended with ${code ?? 'a signal'}: ${stderr.trim()}`));
      }, done);
    },
    destroy(error, done) {
      running.kill();
      done(error);
    },
  });
  running.stdin.end();
  return running.stdout.pipe(output);
}
