import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests may wait on one connection. A client that sends more, without reading its answers, is cut off. */
const AHEAD_AT_MOST = 1_000;

/** How many requests of each connection wait for earlier ones. */
const waiting = new WeakMap<Socket, number>();

/**
 * Begins the requests of a connection one at a time, in the order in which they came (RFC 9112 §9.3.2). Waiting requests
 * are dropped if the connection ends, or an answer was to be its last, and it is cut off if there are too many of them.
 */
export function inTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
  if (!socket.writable) return;
  if (response.socket) {
    begin();
    return;
  }
  const ahead = (waiting.get(socket) ?? 0) + 1;
  if (ahead > AHEAD_AT_MOST) {
    socket.destroy();
    return;
  }
  waiting.set(socket, ahead);
  response.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    begin();
  });
}
