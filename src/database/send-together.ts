import type pg from 'pg';

const gathering = new WeakSet<object>();

/**
 * To be called before each statement of a pipelined connection, so that those of one turn of the event loop are sent
 * together: one by one, each costs a system call and wakes the server. Do not use it where this process computes while the
 * server works, because statements are sent only at the end of the turn.
 */
export function sendTogether({ connection: { stream } }: pg.Client): void {
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  setImmediate(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}
