import type pg from 'pg';

const gathering = new WeakSet<object>();

/**
 * Called before each statement of a pipelined connection: those of one turn of the event loop leave in one piece. Sent
 * one by one, each costs a system call and wakes the server. Not for who computes while the server works: what is
 * asked for leaves at the end of the turn.
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
