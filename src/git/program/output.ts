import { Transform, type Readable } from 'node:stream';
import type { Layout } from '../disk/layout.js';
import { unlessRemoved } from '../missing.js';
import { GitError } from '../port/errors.js';
import type { RunningProgram } from '../port/programs.js';

/**
 * Returns the output of a program as a stream, which fails if the program fails, and kills the program when it is destroyed.
 * If the repository has been removed, it fails with `GitRepositoryMissing`.
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
      running.stdout.unpipe(output).resume(); // what is left of it would keep it from its end
      done(error);
    },
  });
  running.stdin.end();
  return running.stdout.pipe(output);
}
