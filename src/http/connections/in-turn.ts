import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A client that asks on and on without taking answers is cut off once so many requests wait on its connection. */
const AHEAD_AT_MOST = 1_000;

/** How many requests wait for others of their connection. */
const waiting = new WeakMap<Socket, number>();

/**
 * Works on one request of a connection at a time, in the order they came (RFC 9112 §9.3.2). Those that still wait when
 * the connection ends are not worked on, and it is cut off where they are too many.
 */
export function inTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
  if (socket.destroyed) return;
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
