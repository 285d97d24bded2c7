import { Transform, type Readable } from 'node:stream';
import type { Layout } from '../disk/layout.js';
import { unlessRemoved } from '../missing.js';
import { GitError } from '../port/errors.js';
import type { RunningProgram } from '../port/programs.js';

/** The beginning of an output that is held back until it is sure that there is more, or that the program succeeds. */
const HELD_BYTES = 64 * 1024;

/**
 * Returns the output of a program as a stream, which fails if the program fails, and kills the program when it is destroyed.
 * If the repository has been removed, it fails with `GitRepositoryMissing`. Where the program fails after a few bytes, the
 * stream fails before its first one, so that this can still be answered.
 */
export function outputOf(layout: Pick<Layout, 'existing'>, id: number, running: RunningProgram): Readable {
  const succeeded = async () => {
    const { code, stderr } = await running.ended;
    if (code !== 0) throw new GitError(`git ended with ${code ?? 'a signal'}: ${stderr.trim()}`);
  };
  let held = Buffer.alloc(0);
  const isHeld = () => held.length < HELD_BYTES;
  const output = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const next = isHeld() ? (held = Buffer.concat([held, chunk])) : chunk;
      done(null, isHeld() ? undefined : next);
    },
    flush(done) {
      unlessRemoved(layout, id, succeeded).then(() => done(null, isHeld() ? held : undefined), done);
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
