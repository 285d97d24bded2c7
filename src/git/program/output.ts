import { Transform, type Readable } from 'node:stream';
import type { Layout } from '../disk/layout.js';
import { unlessRemoved } from '../missing.js';
import { GitError } from '../port/errors.js';
import type { RunningProgram } from '../port/programs.js';

/**
 * What a program prints that reads a repository, as a stream that fails where the program does, and ends it when nobody
 * wants more.
 */
export function outputOf(layout: Pick<Layout, 'existing'>, id: number, running: RunningProgram): Readable {
  const succeeded = async () => {
    const { code, stderr } = await running.ended;
    if (code !== 0) throw new GitError(`git ended with ${code ?? 'a signal'}: ${stderr.trim()}`);
  };
  const output = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, chunk);
    },
    flush(done) {
      unlessRemoved(layout, id, succeeded).then(() => {
        done();
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
